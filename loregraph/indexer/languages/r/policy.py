"""R's rules of naming and calling, and what its library calls."""

from __future__ import annotations

import re
from typing import Final

from loregraph.indexer.languages.policy import CALL_ANY, Calls, Construction, Members, Modules, Policy, Scopes

_BASE = (
    "NextMethod Recall Sys.getenv Sys.time abs all any anyNA aperm append apply array arrayInd as.character "
    "as.data.frame as.Date as.double as.environment as.factor as.function as.integer as.list as.logical as.matrix "
    "as.name as.numeric as.vector asS4 attr attributes basename bquote c cat cbind ceiling character class colMeans "
    "colSums colnames commandArgs complex cumsum cut data.frame deparse diag diff dim dimnames dir.create dir.exists "
    "dirname do.call double duplicated emptyenv environment environmentName eval evalq exists exp expand.grid "
    "expression factor file file.exists file.path Filter Find floor for formals format formatC function gc get get0 "
    "getOption gettextf globalenv grepl gsub grep identical identity ifelse inherits integer interaction intersect "
    "invisible is.character is.data.frame is.environment is.factor is.finite is.function is.list is.logical is.na "
    "is.null is.numeric isFALSE isTRUE lapply length letters levels list list2env local log log2 logical ls make.names "
    "mapply Map mapply match match.arg match.call match.fun Mod matrix max mean merge message min missing mode Map "
    "months names nargs nchar ncol new.env nlevels noquote norm nrow numeric on.exit order outer packageVersion paste "
    "paste0 parent.env parent.frame Position print prod quit quote R.version range rank rapply rbind Re readLines "
    "readRDS readline Reduce regexpr regmatches rep rep_len replace rev rm round rownames rowMeans rowSums sample "
    "sapply saveRDS scale seq seq_along seq_len sequence set.seed setattr setdiff shQuote simpleError sin sort split "
    "sprintf sqrt stop stopifnot strsplit structure strtoi sub subset substitute substr substring sum suppressMessages "
    "suppressWarnings switch sys.call sys.function system t table tail tapply tempfile tolower toupper trimws try "
    "tryCatch typeof union unique unlist unname unsplit UseMethod utf8ToInt vapply vector Vectorize warning which "
    "which.max which.min with withCallingHandlers within withr write writeLines xor zapsmall"
).split()
_OTHERS = {
    "methods": "callNextMethod is isVirtualClass new setClass setGeneric setMethod setRefClass setValidity show slot "
    "standardGeneric validObject",
    "stats": "aggregate anova as.formula coef dist filter fitted glm lm median model.matrix na.omit optim predict "
    "quantile rnorm runif sd setNames terms update var weighted.mean",
    "utils": "capture.output combn data globalVariables head install.packages modifyList object.size packageVersion "
    "read.csv read.table sessionInfo str tail write.csv write.table",
    "testthat": "describe expect_equal expect_error expect_false expect_identical expect_length expect_message "
    "expect_no_error expect_null expect_s3_class expect_s4_class expect_setequal expect_snapshot expect_true "
    "expect_type expect_warning fail it local_edition mock_bindings skip skip_if skip_if_not skip_if_not_installed "
    "skip_on_ci skip_on_cran succeed test_that with_mocked_bindings",
}
_APPLY = dict.fromkeys(("lapply", "sapply", "vapply", "tapply", "rapply"), (1, "FUN"))
_FIRST = dict.fromkeys(("Filter", "Find", "Map", "mapply", "Position", "Reduce", "Vectorize"), (0, "f", "FUN"))
_PURRR = (
    "detect every imap imap_chr imap_dfr keep discard map map2 map2_chr map2_dbl map2_int map2_lgl map_at map_chr "
    "map_dbl map_df map_dfc map_dfr map_if map_int map_lgl map_vec modify pmap pmap_chr reduce some walk walk2 pwalk"
).split()

POLICY: Final = Policy(
    language="r",
    modules=Modules(
        style="library",
        inside=re.compile(r"\.[rR]\Z"),
        package_scope=True,
        package_lookup="outer",
        shared_values=re.compile(r"."),
    ),
    scopes=Scopes(
        class_body_visible=False,
        class_scope_visible=False,
        assigns_outward=frozenset(),
        default_externals={
            **{name: package for package, names in _OTHERS.items() for name in names.split()},
            **dict.fromkeys(_BASE, "base"),
        },
    ),
    members=Members(literal_members=True, lexical_receiver=frozenset({"lambda", "function"})),
    construction=Construction(instantiation=CALL_ANY, constructors=("initialize",)),
    calls=Calls(
        dispatch_self=True,
        callbacks={
            **{f"base.{name}": places for name, places in (*_APPLY.items(), *_FIRST.items())},
            "base.apply": (2, "FUN"),
            "base.do.call": (0, "what"),
            "base.outer": (2, "FUN"),
            "base.match.fun": (0, "FUN"),
            "base.tryCatch": ("error", "warning", "message", "condition", "interrupt", "finally"),
            "base.withCallingHandlers": ("error", "warning", "message", "condition"),
            "stats.aggregate": (2, "FUN"),
            "stats.optim": (1, "fn"),
            **{f"purrr.{name}": (1, 2, ".f", ".p") for name in _PURRR},
        },
    ),
)
POLICIES: Final = {"r": POLICY}
"""R."""
