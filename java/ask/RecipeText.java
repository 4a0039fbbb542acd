package ask;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** What somebody wrote about an object. A part that was not given is empty. Immutable. */
final class RecipeText {
  /** The keys of the texts in a recipe's table. */
  static final List<String> PARTS = Arrays.asList("create", "use", "reset", "close", "setup");

  /** An expression that makes an object. */
  final String create;

  /** An expression or statements that use it, where it is called {@code o}. */
  final String use;

  /** Statements that make a used object as good as new. */
  final String reset;

  /** Statements that give up what it holds. */
  final String close;

  /** Fields for the other parts. */
  final String setup;

  /** Packages or classes. */
  final List<String> imports;

  /** Whether an object that can be closed is closed, without {@link #close} that says so. */
  final boolean closesItself;

  RecipeText(
      String create, String use, String reset, String close, String setup, List<String> imports) {
    this(create, use, reset, close, setup, imports, true);
  }

  private RecipeText(
      String create,
      String use,
      String reset,
      String close,
      String setup,
      List<String> imports,
      boolean closesItself) {
    this.closesItself = closesItself;
    this.create = create.trim();
    this.use = use.trim();
    this.reset = reset.trim();
    this.close = close.trim();
    this.setup = setup.trim();
    this.imports = Collections.unmodifiableList(new ArrayList<>(imports));
  }

  /** The same for an object that is never closed. */
  RecipeText neverClosed() {
    return new RecipeText(create, use, reset, "", setup, imports, false);
  }

  /**
   * From a table of the list of recipes.
   *
   * @throws IllegalArgumentException if it does not say how to make the object
   */
  static RecipeText of(Map<String, Object> table) {
    String[] parts =
        PARTS.stream().map(part -> (String) table.getOrDefault(part, "")).toArray(String[]::new);
    if (parts[0].trim().isEmpty()) {
      throw new IllegalArgumentException("create is missing: it says how to make the object");
    }
    Object imports = table.getOrDefault("imports", Collections.emptyList());
    List<String> names = new ArrayList<>();
    ((List<?>) imports).forEach(name -> names.add(String.valueOf(name)));
    return new RecipeText(parts[0], parts[1], parts[2], parts[3], parts[4], names);
  }
}
