// What javac says of every call of a repository, as JSON lines (see ../calibration_compiled.py).
//
//     java --add-exports jdk.compiler/com.sun.tools.javac.api=ALL-UNNAMED Calls.java ROOT < FILES
//
// FILES are paths from ROOT, one a line. Libraries need not be there: what depends on them has no type.

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

public final class Calls {
  private static final PrintStream OUT = new PrintStream(System.out, false, StandardCharsets.UTF_8);
  private static Path root;
  private static Trees trees;
  private static JavacTask task;

  public static void main(String[] arguments) throws Exception {
    root = Path.of(arguments[0]).toRealPath();
    List<File> files = new ArrayList<>();
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (!line.isBlank() && !line.endsWith("module-info.java")) files.add(root.resolve(line).toFile());
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
    List<String> options = List.of("-proc:none", "-Xmaxerrs", "1", "-XDshould-stop.ifError=FLOW", "-implicit:none");
    task =
        (JavacTask)
            compiler.getTask(
                null, manager, problem -> {}, options, null, manager.getJavaFileObjectsFromFiles(files));
    trees = Trees.instance(task);
    Iterable<? extends CompilationUnitTree> units = task.parse();
    task.analyze();
    for (CompilationUnitTree unit : units) {
      OUT.println("{\"checked\":" + quoted(path(unit)) + "}");
      new Scanner(unit).scan(unit, null);
    }
    OUT.flush();
  }

  private static final class Scanner extends TreePathScanner<Void, Void> {
    private final CompilationUnitTree unit;
    private final SourcePositions positions = trees.getSourcePositions();

    Scanner(CompilationUnitTree unit) {
      this.unit = unit;
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree node, Void none) {
      ExpressionTree select = node.getMethodSelect();
      String name =
          select instanceof MemberSelectTree member
              ? member.getIdentifier().toString()
              : select instanceof IdentifierTree one ? one.getName().toString() : "";
      write(name, node, select, name.equals("super") || name.equals("this"));
      return super.visitMethodInvocation(node, none);
    }

    @Override
    public Void visitNewClass(NewClassTree node, Void none) {
      String written = node.getIdentifier().toString().replaceAll("<.*", "");
      write(written.substring(written.lastIndexOf('.') + 1), node, node, true);
      return super.visitNewClass(node, none);
    }

    @Override
    public Void visitMemberReference(MemberReferenceTree node, Void none) {
      write(node.getName().toString(), node, node, false);
      return super.visitMemberReference(node, none);
    }

    @Override
    public Void visitClass(ClassTree node, Void none) {
      Element element = trees.getElement(getCurrentPath());
      if (element instanceof TypeElement type) overriding(type);
      return super.visitClass(node, none);
    }

    private void write(String name, Tree node, Tree select, boolean constructs) {
      Element element = trees.getElement(new TreePath(getCurrentPath(), select));
      if (select == node) element = trees.getElement(getCurrentPath());
      long end = select == node ? positions.getStartPosition(unit, node) : positions.getEndPosition(unit, select);
      if (end < 0) return;
      long line = unit.getLineMap().getLineNumber(end);
      long start = unit.getLineMap().getLineNumber(positions.getStartPosition(unit, node));
      String kind = "unknown";
      String to = "";
      boolean erroneous = element == null || element.asType().getKind() == TypeKind.ERROR;
      if (!erroneous && element instanceof ExecutableElement) {
        String place = constructs ? placeOfConstructor(element) : place(element);
        boolean outside = place.isEmpty();
        kind = outside ? outside(element) : element.getModifiers().contains(Modifier.ABSTRACT) ? "member" : "resolved";
        to = ",\"to\":[" + (outside ? signature(element) : place) + "]";
      }
      OUT.println(
          "{\"file\":" + quoted(path(unit)) + ",\"line\":" + line + ",\"start\":" + start + ",\"name\":" + quoted(name)
              + ",\"kind\":\"" + kind + "\"" + to + "}");
    }

    private void overriding(TypeElement type) {
      for (Element member : type.getEnclosedElements()) {
        if (member.getKind() != ElementKind.METHOD) continue;
        String own = place(member);
        if (own.isEmpty()) continue;
        List<TypeElement> above = new ArrayList<>();
        gather(type, above);
        for (TypeElement one : above) {
          for (Element other : one.getEnclosedElements()) {
            if (other.getKind() != ElementKind.METHOD) continue;
            if (!other.getSimpleName().contentEquals(member.getSimpleName())) continue;
            if (task.getElements().overrides((ExecutableElement) member, (ExecutableElement) other, type)) {
              String there = place(other);
              OUT.println("{\"override\":" + own + ",\"of\":" + (there.isEmpty() ? signature(other) : there) + "}");
            }
          }
        }
      }
    }
  }

  private static void gather(TypeElement type, List<TypeElement> found) {
    List<TypeMirror> above = new ArrayList<>(type.getInterfaces());
    above.add(type.getSuperclass());
    for (TypeMirror one : above) {
      if (one.getKind() == TypeKind.DECLARED && ((DeclaredType) one).asElement() instanceof TypeElement next) {
        if (!found.contains(next)) {
          found.add(next);
          gather(next, found);
        }
      }
    }
  }

  /** A constructor that nobody wrote stands where its class does. */
  private static String placeOfConstructor(Element element) {
    Element owner = element.getEnclosingElement();
    if (owner instanceof TypeElement type && type.getSimpleName().length() == 0) {
      TypeMirror above = type.getInterfaces().isEmpty() ? type.getSuperclass() : type.getInterfaces().get(0);
      return above instanceof DeclaredType declared ? place(declared.asElement()) : "";
    }
    String place = place(element);
    return place.isEmpty() && owner != null ? place(owner) : place;
  }

  /** A library's functional interface holds some function. */
  private static String outside(Element element) {
    boolean held = element.getEnclosingElement() instanceof TypeElement type && task.getElements().isFunctionalInterface(type);
    return held && element.getModifiers().contains(Modifier.ABSTRACT) ? "value" : "external";
  }

  /** What stands for a method of a library. */
  private static String signature(Element element) {
    return "[" + quoted("external:" + element.getEnclosingElement() + "." + element) + ",0]";
  }

  private static String place(Element element) {
    TreePath found = trees.getPath(element);
    if (found == null) return "";
    CompilationUnitTree unit = found.getCompilationUnit();
    long start = trees.getSourcePositions().getStartPosition(unit, found.getLeaf());
    if (start < 0) return "";
    return "[" + quoted(path(unit)) + "," + unit.getLineMap().getLineNumber(start) + "]";
  }

  private static String path(CompilationUnitTree unit) {
    return root.relativize(Path.of(unit.getSourceFile().toUri())).toString();
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", " ") + '"';
  }
}
