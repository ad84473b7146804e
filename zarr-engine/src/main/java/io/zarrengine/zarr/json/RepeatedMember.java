package io.zarrengine.zarr.json;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Stands for an object that has a member twice, which may mean two things.
 *
 * @param name the member's
 */
public record RepeatedMember(String name) {
    /** {@return what is wrong, for a message that begins with the object's place} */
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
