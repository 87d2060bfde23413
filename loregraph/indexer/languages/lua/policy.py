"""Lua's rules of naming and calling, and what its library does with functions and tables it is given."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.policy import (
    Calls,
    Construction,
    ImplicitCalls,
    Library,
    Members,
    Modules,
    Policy,
    Scopes,
    Types,
)

_BASIC = (
    "_G _VERSION arg assert bit bit32 collectgarbage coroutine debug dofile error getfenv getmetatable io ipairs jit "
    "load loadfile loadstring math module next os package pairs pcall print rawequal rawget rawlen rawset require "
    "select setfenv setmetatable string table tonumber tostring type unpack utf8 warn xpcall"
).split()
_HOSTS = {"ngx": "ngx", "vim": "vim", "love": "love", "redis": "redis", "ndk": "ngx"}
"""Objects that a program with Lua in it provides."""
_TESTS = (
    "describe it before_each after_each setup teardown lazy_setup lazy_teardown pending spy stub mock insulate finally"
)

POLICY: Final = Policy(
    language="lua",
    modules=Modules(style="file", module_exports=True),
    scopes=Scopes(
        class_body_visible=False,
        class_scope_visible=False,
        hoisted=False,
        default_externals={**dict.fromkeys(_BASIC, "lua"), **_HOSTS, **dict.fromkeys(_TESTS.split(), "busted")},
    ),
    members=Members(literal_members=True, lexical_receiver=frozenset({"lambda", "function"})),
    construction=Construction(instantiation="call", constructors=("initialize", "init", "_init", "__init")),
    calls=Calls(
        sends=True,
        dispatch_self=True,
        callbacks={
            "lua.table.sort": (1,),
            "lua.string.gsub": (2,),
            "lua.coroutine.create": (0,),
            "lua.coroutine.wrap": (0,),
            "ngx.ngx.timer.at": (1,),
            "ngx.ngx.timer.every": (1,),
            "ngx.ngx.thread.spawn": (0,),
            "ngx.ngx.on_abort": (0,),
            "vim.vim.schedule": (0,),
            "vim.vim.schedule_wrap": (0,),
            "vim.vim.defer_fn": (0,),
            "vim.vim.tbl_map": (0,),
            "vim.vim.tbl_filter": (0,),
            "vim.vim.api.nvim_buf_call": (1,),
            "vim.vim.api.nvim_win_call": (1,),
        },
    ),
    implicit=ImplicitCalls(call_methods=("__call",)),
    types=Types(literal_types={"str": ("lua", "string")}),
    library=Library(models={"lua.setmetatable": "metatable", "lua.assert": "first", "vim.vim.deepcopy": "first"}),
)
POLICIES: Final = {"lua": POLICY}
