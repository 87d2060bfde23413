"""Julia's rules of naming and calling, and what its library calls."""

from __future__ import annotations

import re
from typing import Final

from loregraph.indexer.languages.policy import CALL_ANY, Calls, Construction, Members, Modules, Policy, Scopes, Types

_BASE = (
    "AbstractArray AbstractDict AbstractFloat AbstractMatrix AbstractRange AbstractSet AbstractString AbstractVector "
    "Any ArgumentError Array AssertionError Base Bool BoundsError Broadcast Cdouble Channel Char Cint Colon Complex "
    "Core DataType Dict DimensionMismatch DomainError Enum ErrorException Exception Expr Float16 Float32 Float64 "
    "Function IO IOBuffer IOStream IdDict InexactError Int Int128 Int16 Int32 Int64 Int8 Integer KeyError "
    "LineNumberNode Matrix Meta Method MethodError Missing Module NTuple NamedTuple Nothing Number OneTo Pair Ptr "
    "QuoteNode Rational Real Ref Regex RegexMatch ReentrantLock Set Signed String SubArray SubString Symbol Task "
    "Threads Tuple Type TypeError UInt UInt16 UInt32 UInt64 UInt8 UndefRefError Union UnionAll Unsigned Val Vararg "
    "Vector VersionNumber WeakRef abs abspath accumulate all any append! argmax argmin atexit axes basename broadcast "
    "cat ceil chomp clamp cld close codeunit coalesce collect collect_keys contains convert copy copy! copyto! cos "
    "count cumsum deepcopy delete! deleteat! detach diff dirname display div divrem download dump eachcol eachindex "
    "eachline eachmatch eachrow eltype empty empty! endswith enumerate error esc eval exp expanduser extrema falses "
    "fetch fieldnames fieldtype filter filter! findall findfirst findlast findnext first firstindex flatten float "
    "floor flush foldl foldr foreach gensym get get! getfield getindex getproperty hasfield hash hasmethod haskey "
    "hasproperty hcat identity ifelse in include indexin insert! instances intersect invoke invokelatest invperm isa "
    "isabspath isabstracttype isapprox isassigned isbits isbitstype isconcretetype isdefined isdigit isdir isempty "
    "isequal isfile isfinite isinf isless islink ismissing ismutable isnan isnothing isone ispath issorted issubset "
    "iszero iterate join joinpath keys keytype kill last lastindex length lock log log10 log2 lowercase lpad lstrip "
    "map map! mapfoldl mapreduce mapslices match max maximum merge merge! methods min minimum missing mkdir mkpath "
    "mktemp mktempdir mod mod1 muladd ncodeunits ndims nextind nfields normpath notify nothing ntuple objectid "
    "occursin oftype one ones only open oneunit pairs parent parentmodule parse partialsort permute! permutedims pi "
    "pop! popfirst! position prepend! prevind print println printstyled prod promote promote_type push! pushfirst! "
    "put! pwd rand randn range read readchomp readdir readline readlines reduce relpath rem repeat repr reshape "
    "resize! rethrow reverse reverse! rm round rpad rsplit rstrip run samefile schedule seek setdiff setdiff! "
    "setfield! setindex! setproperty! show showerror sign similar sin size sizehint! skipmissing sleep something sort "
    "sort! sortperm splice! split splitdir splitext sprint sqrt startswith stderr stdin stdout step string strip "
    "success sum symdiff symlink tail take! tan tempdir tempname throw time titlecase touch transpose trues trunc "
    "tryparse tuple typeassert typeintersect typejoin typemax typemin typeof union union! unique unique! unlock "
    "unsafe_load uppercase uppercasefirst values valtype vcat vec view wait walkdir which widen withenv write xor "
    "yield zero zeros zip @__DIR__ @__FILE__ @__LINE__ @__MODULE__ @allocated @assert @async @boundscheck @cmd "
    "@deprecate @doc @elapsed @eval @enum @fastmath @generated @goto @inbounds @inline @invokelatest @label @lock "
    "@noinline @nospecialize @propagate_inbounds @r_str @show @simd @spawn @specialize @static @sync @task @threads "
    "@time @timed @v_str @view @views @warn @debug @error @info @logmsg"
).split()
_TEST = (
    "@inferred @test @test_broken @test_deprecated @test_logs @test_nowarn @test_skip @test_throws @test_warn @testset"
)
_FIRST = (
    "accumulate all any argmax argmin broadcast count filter filter! findall findfirst findlast findnext foldl foldr "
    "foreach map map! mapfoldl mapreduce maximum minimum ntuple open prod reduce sprint sum lock get! mktempdir "
    "withenv cd mapslices invokelatest"
).split()

POLICY: Final = Policy(
    language="julia",
    modules=Modules(
        style="included",
        inside=re.compile(r"\.jl\Z"),
        package_scope=True,
        package_lookup="outer",
        shared_values=re.compile(r"."),
    ),
    scopes=Scopes(
        class_body_visible=False,
        class_scope_visible=False,
        assigns_outward=frozenset({"lambda"}),
        default_externals={**dict.fromkeys(_TEST.split(), "Test"), **dict.fromkeys(_BASE, "Base")},
    ),
    members=Members(literal_members=True),
    construction=Construction(instantiation=CALL_ANY),
    calls=Calls(generic_functions=True, callbacks={f"Base.{name}": (0,) for name in _FIRST}),
    types=Types(
        type_containers=frozenset(
            {"Vector", "AbstractVector", "Array", "Set", "Dict", "AbstractDict", "Tuple", "NTuple"}
        ),
        basic_types={
            name: tuple(wider.split())
            for name, wider in {
                "Int": "Integer Signed Real Number Any Int64",
                "Int64": "Integer Signed Real Number Any Int",
                "Float64": "AbstractFloat Real Number Any",
                "Bool": "Integer Real Number Any",
                "String": "AbstractString Any",
                "Symbol": "Any",
                "Pair": "Any",
                "Char": "AbstractChar Any",
                "Integer": "Real Number Any",
                "Real": "Number Any",
                "AbstractString": "Any",
                "Number": "Any",
            }.items()
        },
        literal_names={"str": "String", "int": "Int", "float": "Float64", "bool": "Bool"},
        top_types=frozenset({"Any"}),
    ),
)
POLICIES: Final = {"julia": POLICY}
"""Julia."""
