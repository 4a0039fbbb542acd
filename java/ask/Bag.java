//SOURCES Recipe.java
//SOURCES Way.java
//SOURCES ../libraries/BagEntry.java

package ask;

import com.zaxxer.hikari.util.ConcurrentBag;
import java.util.concurrent.TimeUnit;
import libraries.BagEntry;

/** The way BAG; apart from the others, because Java 8 cannot load HikariCP's classes. */
final class Bag {
  private Bag() {}

  static Way.Users users(Recipe recipe, int objects) throws Exception {
    ConcurrentBag<BagEntry<Object>> bag = new ConcurrentBag<>(waiting -> {});
    for (int i = 0; i < objects; i++) {
      bag.add(new BagEntry<>(recipe.make()));
    }
    return mine ->
        () -> {
          BagEntry<Object> borrowed = bag.borrow(1, TimeUnit.HOURS);
          try {
            return mine.useAgain(borrowed.object);
          } finally {
            bag.requite(borrowed);
          }
        };
  }
}
