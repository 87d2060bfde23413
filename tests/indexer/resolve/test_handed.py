"""What methods of any value, of wrappers and of collections do with functions they are given."""

from __future__ import annotations

from .conftest import Project, Resolve


def callers(found: Project, target: str) -> set[str]:
    """Names of the functions that call `target`, functions without a name under the one around them."""
    return {s.partition("::")[2].partition(".<")[0] for s, t in found.calls() if t == target}


# Verifies REQ-RES-001.
def test_kotlin_scope_functions_give_their_lambda_the_receiver_or_it(project: Resolve) -> None:
    found = project(
        {
            "Shop.kt": """
        package shop

        class Till(val name: String) {
            fun ring() {}
            fun spare(): Till = Till("b")
        }
        fun lets(till: Till) { till.let { it.ring() } }
        fun nulls(till: Till?) { till?.let { held -> held.ring() } }
        fun applies() { val made = Till("a").apply { ring() } }
        fun receivers(till: Till) { till.run { this.ring() } }
        fun withs(till: Till) { with(till) { ring() } }
        fun letGives(till: Till) { till.let { it.spare() }.ring() }
        fun runGives(till: Till) { val other = till.run { spare() }; other.ring() }
        fun alsoGives(till: Till) { till.also { println(it) }.ring() }
        fun lists() { listOf(Till("a"), Till("b")).forEach { it.ring() } }
        fun maps() { mapOf("a" to Till("a"))["a"]!!.ring() }
        fun nothing(other: Any) { other.let { it.ring() } }
    """
        }
    )
    assert callers(found, "Shop.kt::Till.ring") == {
        "lets", "nulls", "applies", "receivers", "withs", "letGives", "runGives", "alsoGives", "lists", "maps",
    }  # fmt: skip
    assert found.how("Shop.kt::lets", "Shop.kt::lets.<lambda1>") == "callback"
    assert found.how("Shop.kt::withs.<lambda1>", "Shop.kt::Till.ring") == "inferred-type"


def test_java_optionals_and_collections_hand_on_what_they_hold(project: Resolve) -> None:
    found = project(
        {
            "shop/Shop.java": """
        package shop;
        import java.util.ArrayList;
        import java.util.List;
        import java.util.Map;
        import java.util.Optional;
        class Till { void open() {} Till spare() { return this; } }
        class Shop {
            void present(Optional<Till> till) { till.ifPresent(t -> t.open()); }
            void mapped(Optional<Till> till) { till.map(t -> t.spare()).get().open(); }
            void made() { var tills = new ArrayList<Till>(); tills.get(0).open(); }
            void listed() { List.of(new Till()).get(0).open(); }
            void entries(Map<String, Till> tills) { for (var e : tills.entrySet()) e.getValue().open(); }
            void pairs(Map<String, Till> tills) { tills.forEach((name, till) -> till.open()); }
            void rest(Till... tills) { tills[0].open(); }
            void collected(List<Till> tills) { tills.stream().map(Till::spare).toList().get(0).open(); }
            void none(Optional<String> till) { till.map(t -> t.trim()).get().open(); }
        }
    """
        }
    )
    assert callers(found, "shop/Shop.java::Till.open") == {
        "Shop.present", "Shop.mapped", "Shop.made", "Shop.listed", "Shop.entries", "Shop.pairs", "Shop.rest",
        "Shop.collected",
    }  # fmt: skip


def test_rust_options_and_typescript_promises_hand_on_what_they_hold(project: Resolve) -> None:
    found = project(
        {
            "Cargo.toml": '[package]\nname = "shop"\n',
            "src/lib.rs": """
        pub struct Till;
        impl Till {
            pub fn open(&self) {}
            pub fn spare(&self) -> Option<Till> { None }
        }
        fn mapped(till: Option<Till>) { till.map(|t| t.open()); }
        fn chained(till: Option<Till>) { till.and_then(|t| t.spare()).unwrap().open(); }
    """,
            "shop.ts": """
        class Till { open() {} spare(): Till { return this; } }
        function handed(till: Promise<Till>) { till.then(t => t.open()); }
        function given(till: Promise<Till>) { till.then(t => t.spare()).then(t => t.open()); }
        function kept(till: Promise<Till>) { till.finally(() => {}).then(t => t.open()); }
    """,
        }
    )
    assert callers(found, "src/lib.rs::Till.open") == {"mapped", "chained"}
    assert callers(found, "shop.ts::Till.open") == {"handed", "given", "kept"}


def test_functions_that_are_called_through_a_method(project: Resolve) -> None:
    found = project(
        {
            "shop/Shop.java": """
        package shop;
        import java.util.function.Supplier;
        class Shop {
            Shop make() { return this; }
            void taken() { Supplier<Shop> made = this::make; made.get(); }
            void run() { Runnable task = () -> make(); task.run(); }
        }
    """,
            "shop.cs": """
        using System;
        class Till {
          void Ring() {}
          void Run() { Action ring = Ring; ring?.Invoke(); }
        }
    """,
            "shop.rb": """
        class Till
          def ring; end
          def run
            later = ->(till) { till.ring }
            later.call(Till.new)
          end
        end
    """,
        }
    )
    assert {
        ("shop/Shop.java::Shop.taken", "shop/Shop.java::Shop.make"),
        ("shop/Shop.java::Shop.run", "shop/Shop.java::Shop.run.<lambda1>"),
        ("shop.cs::Till.Run", "shop.cs::Till.Ring"),
        ("shop.rb::Till.run", "shop.rb::Till.run.<lambda1>"),
        ("shop.rb::Till.run.<lambda1>", "shop.rb::Till.ring"),
    } <= found.calls()
    assert found.how("shop/Shop.java::Shop.taken", "shop/Shop.java::Shop.make") == "value"


# Verifies REQ-RES-001.
def test_functions_that_are_handed_over_run_where_a_parameter_of_a_function_type_is_called(project: Resolve) -> None:
    found = project(
        {
            "Bus.kt": """
        package bus

        class Till { fun ring() {} }
        val listeners = mutableSetOf<() -> Unit>()
        fun beep() {}
        fun boop() {}
        fun once(run: () -> Unit) { run() }
        fun on(listener: () -> Unit) { listeners.add(listener) }
        fun fire() { for (listener in listeners) listener() }
        fun wire(till: Till) { once(::beep); once(till::ring); on(::boop) }
        fun guarded() { val bell by lazy { Till() }; repeat(3) { bell.ring() } }
    """
        }
    )
    calls = found.calls()
    assert ("Bus.kt::once", "Bus.kt::beep") in calls
    assert ("Bus.kt::once", "Bus.kt::Till.ring") in calls
    assert ("Bus.kt::fire", "Bus.kt::boop") in calls
    assert ("Bus.kt::fire", "Bus.kt::beep") not in calls
    assert {t for s, t in calls if s == "Bus.kt::guarded"} >= {"Bus.kt::guarded.<lambda1>", "Bus.kt::guarded.<lambda2>"}


def test_functions_are_handed_over_in_other_typed_languages(project: Resolve) -> None:
    found = project(
        {
            "a.go": "package a\nfunc beep() {}\nfunc once(run func()) { run() }\nfunc wire() { once(beep) }\n",
            "b.rs": "fn beep() {}\nfn once(run: impl Fn()) { run() }\nfn wire() { once(beep); }\n",
            "c.swift": "func beep() {}\nfunc once(_ run: () -> Void) { run() }\nfunc wire() { once(beep) }\n",
        }
    )
    for path in ("a.go", "b.rs", "c.swift"):
        assert (f"{path}::once", f"{path}::beep") in found.calls()
