package io.zarrengine.zarr.datatype;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Numbers as text in metadata, e.g. {@code "-999"} or {@code "nan"}. Python accepts them. */
final class NumberText {
    /**
     * Maximum number of characters of a number. No number of a supported type needs more, and
     * converting longer ones is slow.
     */
    private static final int CHARACTERS_MAX = 1000;

    private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]+");
    private static final Pattern DECIMAL =
            Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)(e[+-]?[0-9]{1,9})?");

    private NumberText() {}

    /**
     * {@return the number; empty if the text is not a number}
     *
     * @param text may have spaces around it
     */
    static Optional<Number> parse(String text) {
        String number = text.strip().toLowerCase(Locale.ROOT);
        if (number.length() > CHARACTERS_MAX) {
            return Optional.empty();
        }
        return switch (number.replaceFirst("^[+-]", "")) {
            case "nan" -> Optional.of(Double.NaN);
            case "inf", "infinity" ->
                    Optional.of(
                            number.startsWith("-")
                                    ? Double.NEGATIVE_INFINITY
                                    : Double.POSITIVE_INFINITY);
            default -> finite(number);
        };
    }

    private static Optional<Number> finite(String number) {
        if (WHOLE.matcher(number).matches()) {
            BigInteger whole = new BigInteger(number);
            boolean isNegativeZero = whole.signum() == 0 && number.startsWith("-");
            return Optional.of(isNegativeZero ? (Number) (-0.0) : whole);
        }
        if (!DECIMAL.matcher(number).matches()) {
            return Optional.empty();
        }
        BigDecimal decimal = new BigDecimal(number);
        boolean isNegativeZero = decimal.signum() == 0 && number.startsWith("-");
        return Optional.of(isNegativeZero ? (Number) (-0.0) : decimal);
    }
}
