package ask;

/**
 * How somebody's object is made, used and given up. {@link RecipeCompiler} turns the text of {@code
 * should-i-pool}'s options into an {@link Author}, which makes one of these.
 *
 * <p>Each thread has a recipe of its own, so that the fields of {@code --setup} need no lock. An
 * object may be made by one thread's recipe and used by another's.
 */
public final class Recipe {
  /** Makes an object. */
  public interface Maker<T> {
    T make() throws Exception;
  }

  /** Uses an object once; gives something that depends on the work. */
  public interface User<T> {
    Object use(T made) throws Exception;
  }

  /** Makes a used object as good as new. */
  public interface Cleaner<T> {
    void reset(T used) throws Exception;
  }

  /** Gives up what an object holds besides memory. */
  public interface Closer<T> {
    void close(T made) throws Exception;
  }

  /** Clones an object. */
  public interface Copier<T> {
    Object copy(T made) throws Exception;
  }

  /** What is compiled from somebody's text: has the fields, and writes the recipe. */
  public interface Author {
    Recipe recipe();
  }

  // An interface for each step, so that each call has one target and can be compiled into its
  // caller.
  private final Maker<Object> maker;
  private final User<Object> user;
  private final Cleaner<Object> cleaner;
  private final Closer<Object> closer;
  private final Copier<Object> copier;

  @SuppressWarnings("unchecked") // what one step makes, the others take
  private <T> Recipe(
      Maker<T> maker, User<T> user, Cleaner<T> cleaner, Closer<T> closer, Copier<T> copier) {
    this.maker = (Maker<Object>) maker;
    this.user = (User<Object>) user;
    this.cleaner = (Cleaner<Object>) cleaner;
    this.closer = (Closer<Object>) closer;
    this.copier = (Copier<Object>) copier;
  }

  /**
   * Puts the steps together; the compiler finds the type of the object in the first.
   *
   * @param copier null if an object cannot be cloned
   */
  public static <T> Recipe of(
      Maker<T> maker, User<T> user, Cleaner<T> cleaner, Closer<T> closer, Copier<T> copier) {
    return new Recipe(maker, user, cleaner, closer, copier);
  }

  /**
   * The recipe of the author with this class name.
   *
   * @throws IllegalStateException if the author cannot be made, with the reason
   */
  public static Recipe of(String author) {
    try {
      return ((Author) Class.forName(author).getConstructor().newInstance()).recipe();
    } catch (ReflectiveOperationException | LinkageError e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IllegalStateException("--setup fails: " + cause, cause);
    }
  }

  Object make() throws Exception {
    return maker.make();
  }

  Object use(Object made) throws Exception {
    return user.use(made);
  }

  void reset(Object used) throws Exception {
    cleaner.reset(used);
  }

  /** Uses an object that will be used again: uses it and resets it. */
  Object useAgain(Object kept) throws Exception {
    try {
      return user.use(kept);
    } finally {
      cleaner.reset(kept);
    }
  }

  void close(Object made) throws Exception {
    closer.close(made);
  }

  boolean canCopy() {
    return copier != null;
  }

  Object copy(Object made) throws Exception {
    return copier.copy(made);
  }
}
