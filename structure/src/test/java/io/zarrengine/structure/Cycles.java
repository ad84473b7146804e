package io.zarrengine.structure;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Finds cycles of dependencies: elements that need each other, directly or through others. */
final class Cycles {
    private Cycles() {}

    /**
     * {@return the cycles of at least two elements, each as large as possible}
     *
     * @param needs the needs of each element
     */
    static List<Set<String>> of(Map<String, Set<String>> needs) {
        Map<String, Set<String>> reached = new HashMap<>();
        needs.keySet().forEach(thing -> reached.put(thing, reachedFrom(thing, needs)));
        List<Set<String>> cycles = new ArrayList<>();
        Set<String> left = new TreeSet<>(needs.keySet());
        for (String thing : needs.keySet()) {
            Set<String> cycle = new TreeSet<>(left);
            cycle.removeIf(other ->
                    !reached.get(thing).contains(other) || !reached.get(other).contains(thing));
            left.removeAll(cycle);
            if (!cycle.isEmpty()) {
                cycles.add(cycle);
            }
        }
        return cycles;
    }

    private static Set<String> reachedFrom(String thing, Map<String, Set<String>> needs) {
        Set<String> reached = new TreeSet<>();
        Deque<String> next = new ArrayDeque<>(needs.get(thing));
        while (!next.isEmpty()) {
            String needed = next.pop();
            if (reached.add(needed)) {
                next.addAll(needs.get(needed));
            }
        }
        return reached;
    }
}
