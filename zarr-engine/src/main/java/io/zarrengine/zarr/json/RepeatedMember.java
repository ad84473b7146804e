package io.zarrengine.zarr.json;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Represents an object with a repeated member, whose meaning is ambiguous.
 *
 * @param name the name of the member
 */
public record RepeatedMember(String name) {
    /** {@return a description of the problem, for a message that begins with the object's place} */
    public String problem() {
        return "has the member \"" + name + "\" twice";
    }

    /**
     * {@return the first such object in a value; empty if there is none}
     *
     * @param value any value of a parsed document
     */
    public static Optional<RepeatedMember> in(Object value) {
        return switch (value) {
            case RepeatedMember repeated -> Optional.of(repeated);
            case Map<?, ?> members -> first(members.values());
            case List<?> elements -> first(elements);
            case null, default -> Optional.empty();
        };
    }

    private static Optional<RepeatedMember> first(Collection<?> values) {
        return values.stream()
                .filter(Objects::nonNull)
                .map(RepeatedMember::in)
                .flatMap(Optional::stream)
                .findFirst();
    }

    @Override
    public String toString() {
        return "an object that " + problem();
    }
}
