package io.fairlead.platform;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * One page of a list.
 *
 * @param nextPageToken what to send as {@code pageToken} for the next page; absent on the last one
 */
public record Page<T>(
        List<T> items,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> nextPageToken) {

    public Page {
        items = List.copyOf(items);
    }

    /**
     * Cuts a page from rows that were read with {@link PageQuery#rowsMax()}, in ascending order of their id.
     *
     * @param rows one more than the page holds, when there are more pages
     */
    public static <R, T> Page<T> of(List<R> rows, PageQuery query, Function<R, UUID> id, Function<R, T> view) {
        boolean more = rows.size() > query.limit();
        List<R> shown = more ? rows.subList(0, query.limit()) : rows;
        return new Page<>(
                shown.stream().map(view).toList(),
                more ? Optional.of(PageQuery.tokenAfter(id.apply(shown.getLast()))) : Optional.empty());
    }
}
