"""Haskell's rules of naming and calling, and what its library does with functions it is given."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.policy import CALL_ANY, Calls, Construction, Members, Modules, Policy, Scopes

_PRELUDE = (
    "Bool Bounded Char Double Either Enum Eq FilePath Float Floating Foldable Fractional Functor IO IOError Int "
    "Integer Integral Maybe Monad MonadFail Monoid Num Ord Ordering Rational Read Real RealFloat RealFrac "
    "Semigroup Show String Traversable Applicative Word all and any appendFile break ceiling concat concatMap "
    "const curry cycle div divMod drop dropWhile either elem error even filter flip floor fmap foldMap foldl "
    "foldr foldr1 fromEnum fromIntegral fst gcd getContents getLine head id init interact ioError iterate last "
    "lcm length lines lookup map mapM mapM_ max maxBound maximum maybe mconcat mempty min minBound minimum mod "
    "negate not notElem null odd or otherwise pred print product pure putStr putStrLn quot read readFile readLn "
    "rem repeat replicate return reverse round scanl scanr seq sequence sequenceA sequence_ show showString shows "
    "snd span splitAt sqrt succ sum tail take takeWhile toEnum toInteger traverse truncate uncurry undefined "
    "unlines until unwords unzip userError words writeFile zip zip3 zipWith zipWith3"
).split()
_FIRST = (
    "Prelude.all Prelude.any Prelude.break Prelude.concatMap Prelude.dropWhile Prelude.either Prelude.filter "
    "Prelude.fmap Prelude.foldMap Prelude.foldl Prelude.foldr Prelude.foldr1 Prelude.iterate Prelude.map "
    "Prelude.mapM Prelude.mapM_ Prelude.span Prelude.takeWhile Prelude.traverse Prelude.uncurry Prelude.curry "
    "Prelude.until Prelude.zipWith Prelude.zipWith3 Prelude.flip Control.Monad.filterM Control.Monad.foldM "
    "Control.Monad.foldM_ Control.Monad.mapM Control.Monad.mapM_ Control.Monad.zipWithM Control.Monad.zipWithM_ "
    "Control.Monad.liftM Control.Monad.liftM2 Control.Applicative.liftA2 Control.Applicative.liftA3 "
    "Data.Foldable.traverse_ Data.Foldable.mapM_ Data.Foldable.foldl' Data.Foldable.concatMap "
    "Data.Traversable.traverse Data.List.sortBy Data.List.groupBy Data.List.nubBy Data.List.partition "
    "Data.List.find Data.List.foldl' Data.List.sortOn Data.List.deleteBy Data.List.insertBy Data.List.unfoldr "
    "Data.List.dropWhileEnd Data.Maybe.mapMaybe Data.Map.map Data.Map.filter Data.Map.foldr Data.Map.insertWith "
    "Data.Map.unionWith Data.Map.adjust Data.Map.alter Data.Map.fromListWith Data.Map.mapWithKey "
    "Data.Map.filterWithKey Data.Map.foldrWithKey Data.Map.Strict.map Data.Map.Strict.filter "
    "Data.Map.Strict.insertWith Data.Map.Strict.unionWith Data.Map.Strict.adjust Data.Map.Strict.fromListWith "
    "Data.Map.Strict.mapWithKey Data.Map.Strict.filterWithKey Data.Set.map Data.Set.filter Data.Text.map "
    "Data.Text.filter Data.Text.concatMap Data.Text.any Data.Text.all Data.Text.dropWhile Data.Text.takeWhile "
    "Data.Text.span Data.Text.break Data.Bifunctor.first Data.Bifunctor.second Data.Function.on "
    "Control.Arrow.first Control.Arrow.second"
).split()
_SECOND = (
    "Prelude.either Prelude.maybe Control.Monad.forM Control.Monad.forM_ Data.Foldable.forM_ Data.Foldable.for_ "
    "Data.Traversable.for Data.Traversable.forM Control.Exception.catch Control.Exception.handle"
).split()

POLICY: Final = Policy(
    language="haskell",
    modules=Modules(style="listed"),
    scopes=Scopes(
        assigns_outward=frozenset(),
        class_body_visible=False,
        class_scope_visible=False,
        default_externals=dict.fromkeys(_PRELUDE, "Prelude"),
    ),
    members=Members(module_types=True, instances=True),
    construction=Construction(instantiation=CALL_ANY, constructors=()),
    calls=Calls(callbacks={**dict.fromkeys(_SECOND, (1,)), **dict.fromkeys(_FIRST, (0,)), "Prelude.either": (0, 1)}),
)
POLICIES: Final = {"haskell": POLICY}
