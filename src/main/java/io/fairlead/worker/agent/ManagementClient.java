package io.fairlead.worker.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fairlead.contract.ContractJson;
import io.fairlead.contract.DesiredState;
import io.fairlead.contract.EnrolmentAnswer;
import io.fairlead.contract.EnrolmentRequest;
import io.fairlead.contract.HeadReport;
import io.fairlead.core.Generation;
import io.fairlead.worker.ledger.Enrolment;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;

/** Speaks the worker API, {@code /worker/v1}, to the management plane. Thread-safe. Never prints what it sends or is sent. */
final class ManagementClient implements AutoCloseable {

    private static final ObjectMapper MAPPER = ContractJson.mapper();
    private static final Duration CONNECT_TIME_MAX = Duration.ofSeconds(5);
    private static final Duration ANSWER_TIME_MAX = Duration.ofSeconds(15);
    private static final long ANSWER_BYTES_MAX = 64L << 20;

    private final ManagementAddress address;
    private final HttpClient client;

    ManagementClient(ManagementAddress address) {
        this.address = address;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT_TIME_MAX)
                .build();
    }

    EnrolmentAnswer enrol(EnrolmentRequest request) throws ManagementFault, InterruptedException {
        HttpRequest post = HttpRequest.newBuilder(address.resolve("/worker/v1/enrol"))
                .timeout(ANSWER_TIME_MAX)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(write(request)))
                .build();
        HttpResponse<byte[]> response = send(post);
        return read(response, EnrolmentAnswer.class);
    }

    /** The desired state once it is newer than {@code after}, or empty after about {@code wait}. */
    Optional<DesiredState> desired(Enrolment enrolment, Generation after, Duration wait)
            throws ManagementFault, InterruptedException {
        String path = "/worker/v1/heads/" + enrolment.headId() + "/desired?after=" + after + "&waitSeconds="
                + wait.toSeconds();
        HttpRequest get = authorized(enrolment, path)
                .timeout(wait.plus(ANSWER_TIME_MAX))
                .GET()
                .build();
        HttpResponse<byte[]> response = send(get);
        return response.statusCode() == 204 ? Optional.empty() : Optional.of(read(response, DesiredState.class));
    }

    /** Returns when the report has been taken. */
    void report(Enrolment enrolment, HeadReport report) throws ManagementFault, InterruptedException {
        HttpRequest post = authorized(enrolment, "/worker/v1/heads/" + enrolment.headId() + "/report")
                .timeout(ANSWER_TIME_MAX)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(write(report)))
                .build();
        send(post);
    }

    private HttpRequest.Builder authorized(Enrolment enrolment, String path) {
        return HttpRequest.newBuilder(address.resolve(path))
                .header("Authorization", "Bearer " + enrolment.credential().reveal());
    }

    private HttpResponse<byte[]> send(HttpRequest request) throws ManagementFault, InterruptedException {
        HttpResponse<byte[]> response;
        try {
            response = client.send(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), ANSWER_BYTES_MAX));
        } catch (IOException e) {
            String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            throw new ManagementFault(ManagementFault.Kind.AWAY, "no answer from " + address.uri() + ": " + why, e);
        }
        int status = response.statusCode();
        if (status >= 200 && status < 300) {
            return response;
        }
        String what = request.method() + " " + request.uri().getPath() + " was answered " + status;
        throw switch (status) {
            case 401, 403 -> new ManagementFault(ManagementFault.Kind.REFUSED, what, null);
            default ->
                new ManagementFault(
                        status >= 500 || status == 429 ? ManagementFault.Kind.AWAY : ManagementFault.Kind.GARBAGE,
                        what,
                        null);
        };
    }

    private static byte[] write(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the contract can be written as JSON", e);
        }
    }

    private static <T> T read(HttpResponse<byte[]> response, Class<T> type) throws ManagementFault {
        try {
            T value = MAPPER.readValue(response.body(), type);
            if (value != null) {
                return value;
            }
        } catch (IOException e) {
            // Jackson's message may quote the document, which holds keys; only the place is told.
            String where = e instanceof JsonProcessingException json && json.getLocation() != null
                    ? " at line " + json.getLocation().getLineNr() + ", column "
                            + json.getLocation().getColumnNr()
                    : "";
            throw garbage(type, where);
        }
        throw garbage(type, "");
    }

    private static ManagementFault garbage(Class<?> type, String where) {
        return new ManagementFault(
                ManagementFault.Kind.GARBAGE, "the answer is not a " + type.getSimpleName() + where, null);
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
