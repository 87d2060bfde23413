; Zig: what becomes facts. See languages/spec.py for the captures.

(source_file) @definition.struct
(ContainerDecl) @definition.struct
(ErrorSetDecl) @definition.enum
(Decl (FnProto)) @definition.function
(TestDecl) @definition.function

(FnCallArguments) @call

(VarDecl) @assignment.declare
(ContainerField) @assignment.field
(AssignExpr (AssignOp)) @assignment
(ForPrefix) @assignment.for
(WhilePrefix) @assignment.payload
(IfPrefix) @assignment.payload
(SwitchProng) @assignment.prong
(Payload) @assignment.error

(AssignExpr "return") @return

(BUILTINIDENTIFIER) @import
(Decl "usingnamespace") @import.all

(IfStatement) @block.branch
(IfStatement (BlockExpr) @block.branch)
(IfStatement (AssignExpr) @block.branch)
(IfStatement (Statement) @block.branch)
(IfExpr) @block.branch
(SwitchProng) @block.branch
(ForStatement) @block.loop
(ForExpr) @block.loop
(WhileStatement) @block.loop
(WhileExpr) @block.loop

(IfPrefix) @decision
(ForPrefix) @decision
(WhilePrefix) @decision
(SwitchProng) @decision
(BinaryExpr operator: ["and" "or"]) @decision
(BinaryExpr operator: (BitwiseOp "orelse")) @decision
(BinaryExpr operator: (BitwiseOp "catch")) @decision
