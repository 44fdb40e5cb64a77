package dev.recloser.http;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;

/** In which order a request goes to endpoints. */
interface EndpointOrder {

    /** The order for one request: all of them, each once. */
    List<Endpoint> next();

    /** Always the same: the first is the one to go to, the others stand by. */
    static EndpointOrder fixed(List<Endpoint> endpoints) {
        List<Endpoint> order = List.copyOf(endpoints);
        return () -> order;
    }

    /**
     * Left to chance: the first by weight among all, each further one by weight among those that are left.
     *
     * @param random numbers from 0 to 1, 1 excluded; asked by many threads
     */
    static EndpointOrder weighted(List<Endpoint> endpoints, DoubleSupplier random) {
        List<Endpoint> all = List.copyOf(endpoints);
        return () -> {
            List<Endpoint> left = new ArrayList<>(all);
            List<Endpoint> order = new ArrayList<>(all.size());
            while (left.size() > 1) {
                order.add(left.remove(drawn(left, random.getAsDouble())));
            }
            order.addAll(left);
            return order;
        };
    }

    private static int drawn(List<Endpoint> from, double random) {
        long total = from.stream().mapToLong(Endpoint::weight).sum();
        double rest = random * total;
        for (int i = 0; i < from.size() - 1; i++) {
            rest -= from.get(i).weight();
            if (rest < 0) {
                return i;
            }
        }
        return from.size() - 1;
    }
}
