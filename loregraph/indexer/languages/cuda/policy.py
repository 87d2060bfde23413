"""CUDA's rules of naming and calling: C++'s, and what the toolkit provides."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from loregraph.indexer.languages.cpp.policy import POLICY as CPP

_DEVICE: Final = (
    "__syncthreads __syncwarp __threadfence __threadfence_block __threadfence_system __syncthreads_and "
    "__syncthreads_count __syncthreads_or __shfl_sync __shfl_down_sync __shfl_up_sync __shfl_xor_sync __ballot_sync "
    "__all_sync __any_sync __activemask __match_any_sync __popc __popcll __clz __ffs __ldg __fdividef __fmaf_rn "
    "__expf __logf __powf __sinf __cosf __saturatef __float2int_rn __int2float_rn __float2half __half2float __mul24 "
    "__umul24 __double2ll_rn atomicAdd atomicAnd atomicCAS atomicDec atomicExch atomicInc atomicMax atomicMin "
    "atomicOr atomicSub atomicXor blockDim blockIdx gridDim threadIdx warpSize clock clock64 make_float2 "
    "make_float3 make_float4 make_int2 make_int3 make_int4 make_uint2 make_uint3 make_uint4 make_double2 "
    "make_uchar4 tex1D tex1Dfetch tex2D tex2DLod tex3D surf2Dread surf2Dwrite dim3"
).split()
_HOST: Final = (
    "cudaDeviceGetAttribute cudaDeviceReset cudaDeviceSynchronize cudaEventCreate cudaEventDestroy "
    "cudaEventElapsedTime cudaEventRecord cudaEventSynchronize cudaFree cudaFreeHost cudaFuncSetAttribute "
    "cudaGetDevice cudaGetDeviceCount cudaGetDeviceProperties cudaGetErrorName cudaGetErrorString cudaGetLastError "
    "cudaHostAlloc cudaLaunchCooperativeKernel cudaLaunchKernel cudaMalloc cudaMallocArray cudaMallocHost "
    "cudaMallocManaged cudaMallocPitch cudaMemGetInfo cudaMemPrefetchAsync cudaMemcpy cudaMemcpy2D cudaMemcpyAsync "
    "cudaMemcpyFromSymbol cudaMemcpyToSymbol cudaMemset cudaMemsetAsync cudaPeekAtLastError cudaSetDevice "
    "cudaStreamCreate cudaStreamCreateWithFlags cudaStreamDestroy cudaStreamSynchronize cudaStreamWaitEvent "
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor cudaOccupancyMaxPotentialBlockSize cudaGraphCreate "
    "cudaGraphLaunch"
).split()

POLICY: Final = replace(
    CPP,
    language="cuda",
    scopes=replace(CPP.scopes, default_externals=dict.fromkeys((*_DEVICE, *_HOST), "cuda")),
    # A kernel that is launched by its address.
    calls=replace(
        CPP.calls, callbacks=dict.fromkeys(("cuda.cudaLaunchKernel", "cuda.cudaLaunchCooperativeKernel"), (0,))
    ),
)
POLICIES: Final = {"cuda": POLICY}
