package shop.stock;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import shop.events.StockListener;

/**
 * What is in stock, by shelf.
 */
public class Inventory {
    public static final int SMALLEST_STOCK = 5;
    public static final int LARGEST_STOCK = 500;
    public static final int DEFAULT_SHELF = 1;
    private static final long RECOUNT_AFTER_MILLIS = 86_400_000L;

    private final Map<String, Product> products = new HashMap<>();
    private final List<StockListener> listeners = new ArrayList<>();
    private final String warehouse;
    // Set by the first count, and by each one after it.
    private Instant counted;
    private boolean locked;

    public Inventory(String warehouse) {
        this.warehouse = warehouse;
    }

    public void addListener(StockListener listener) {
        listeners.add(listener);
    }

    public void removeListener(StockListener listener) {
        listeners.remove(listener);
    }

    public Product add(String code, String name, int amount) {
        requireUnlocked();
        Product product = products.get(code);
        if (product == null) {
            product = new Product(code, name, DEFAULT_SHELF, amount);
            products.put(code, product);
        } else {
            // The name stays what it was when the product was new.
            product.amount += amount;
        }
        for (StockListener listener : listeners) {
            listener.added(warehouse, product, amount);
        }
        return product;
    }

    public boolean take(String code, int amount) {
        requireUnlocked();
        Product product = products.get(code);
        if (product == null || product.amount < amount) {
            return false;
        }
        product.amount -= amount;
        if (product.amount < SMALLEST_STOCK) {
            order(product, LARGEST_STOCK - product.amount);
        }
        for (StockListener listener : listeners) {
            listener.taken(warehouse, product, amount);
        }
        return true;
    }

    public Optional<Product> find(String code) {
        return Optional.ofNullable(products.get(code));
    }

    public List<Product> onShelf(int shelf) {
        List<Product> found = new ArrayList<>();
        for (Product product : products.values()) {
            if (product.shelf == shelf) {
                found.add(product);
            }
        }
        return found;
    }

    public void count(Map<String, Integer> amounts, Instant now) {
        requireUnlocked();
        for (Map.Entry<String, Integer> entry : amounts.entrySet()) {
            Product product = products.get(entry.getKey());
            // Somebody counted what nobody ever added.
            if (product == null) {
                throw new IllegalArgumentException("no product " + entry.getKey());
            }
            product.amount = entry.getValue();
        }
        counted = now;
    }

    public boolean isRecountDue(Instant now) {
        return counted == null || now.toEpochMilli() - counted.toEpochMilli() > RECOUNT_AFTER_MILLIS;
    }

    public void lock() {
        locked = true;
    }

    public void unlock() {
        locked = false;
    }

    private void requireUnlocked() {
        if (locked) {
            throw new IllegalStateException("the stock of " + warehouse + " is locked");
        }
    }

    private void order(Product product, int amount) {
        System.out.printf("%s: order %d of %s (shelf %d)%n", warehouse, amount, product.name, product.shelf);
    }

    /** One product and how many there are. */
    public static class Product {
        final String code;
        final String name;
        int shelf;
        int amount;

        Product(String code, String name, int shelf, int amount) {
            this.code = code;
            this.name = name;
            this.shelf = shelf;
            this.amount = amount;
        }
    }
}
