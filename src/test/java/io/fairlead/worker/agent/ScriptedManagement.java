package io.fairlead.worker.agent;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fairlead.contract.CntlidWindow;
import io.fairlead.contract.ContractJson;
import io.fairlead.contract.DesiredState;
import io.fairlead.contract.EnrolmentAnswer;
import io.fairlead.contract.EnrolmentRequest;
import io.fairlead.contract.HeadReport;
import io.fairlead.worker.engine.DesiredStates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A management plane that does what a test tells it, over real HTTP on loopback. */
final class ScriptedManagement implements AutoCloseable {

    static final String TOKEN = "one-time-token";
    static final String CREDENTIAL = "head-credential";

    /** How it answers. */
    enum Mood {
        WELL,
        /** The connection is cut without an answer. */
        AWAY,
        /** 503. */
        FAILING,
        /** 200 with something that is no JSON. */
        GARBAGE
    }

    private final HttpServer server;
    private final List<HeadReport> reports = new ArrayList<>();
    private final List<String> requests = new ArrayList<>();
    private Mood mood = Mood.WELL;
    private Optional<DesiredState> desired = Optional.empty();
    private boolean refusingSteps;
    private boolean closed;

    ScriptedManagement() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/worker/v1/", this::handle);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    synchronized void offer(DesiredState state) {
        desired = Optional.of(state);
        notifyAll();
    }

    synchronized void become(Mood next) {
        mood = next;
        notifyAll();
    }

    /** From now on it cannot read steps and refuses each report that has some. */
    synchronized void refuseSteps() {
        refusingSteps = true;
    }

    private synchronized boolean refusesSteps() {
        return refusingSteps;
    }

    synchronized int requestCount() {
        return requests.size();
    }

    /** The first report that is as asked for, among those that came since the last such call or come soon. */
    synchronized HeadReport await(Predicate<HeadReport> wanted) throws InterruptedException {
        return await(Duration.ofSeconds(20), wanted);
    }

    private synchronized HeadReport await(Duration longest, Predicate<HeadReport> wanted) throws InterruptedException {
        long giveUp = System.nanoTime() + longest.toNanos();
        int next = 0;
        while (true) {
            for (; next < reports.size(); next++) {
                if (wanted.test(reports.get(next))) {
                    HeadReport found = reports.get(next);
                    reports.subList(0, next + 1).clear();
                    return found;
                }
            }
            waitUntil(giveUp, () -> "no such report; the last: " + (reports.isEmpty() ? "none" : reports.getLast()));
        }
    }

    /** Waits until that many requests have come in all. */
    synchronized void awaitRequests(int count) throws InterruptedException {
        long giveUp = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (requests.size() < count) {
            waitUntil(giveUp, () -> "only " + requests);
        }
    }

    private void waitUntil(long giveUp, Supplier<String> otherwise) throws InterruptedException {
        long left = (giveUp - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
            throw new AssertionError(otherwise.get());
        }
        wait(left);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String path = exchange.getRequestURI().getPath();
            Mood now = note(exchange.getRequestMethod() + " " + path);
            switch (now) {
                case AWAY -> throw new IOException("away, as the test wants it");
                case FAILING -> exchange.sendResponseHeaders(503, -1);
                case GARBAGE -> answer(exchange, "<html>not what you think</html>".getBytes(StandardCharsets.UTF_8));
                case WELL -> serve(exchange, path, body);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized Mood note(String request) {
        requests.add(request);
        notifyAll();
        return mood;
    }

    private void serve(HttpExchange exchange, String path, byte[] body) throws IOException, InterruptedException {
        if (path.endsWith("/enrol")) {
            EnrolmentRequest request = ContractJson.mapper().readValue(body, EnrolmentRequest.class);
            if (!request.token().equals(TOKEN)) {
                exchange.sendResponseHeaders(403, -1);
                return;
            }
            answer(exchange, json(new EnrolmentAnswer(DesiredStates.HEAD, CREDENTIAL, new CntlidWindow(1, 100))));
            return;
        }
        String authorization = exchange.getRequestHeaders().getFirst("Authorization");
        if (!("Bearer " + CREDENTIAL).equals(authorization)) {
            exchange.sendResponseHeaders(401, -1);
        } else if (path.endsWith("/report")) {
            HeadReport report = ContractJson.mapper().readValue(body, HeadReport.class);
            boolean refused = refusesSteps() && !report.steps().isEmpty();
            if (!refused) {
                take(report);
            }
            exchange.sendResponseHeaders(refused ? 422 : 204, -1);
        } else {
            poll(exchange);
        }
    }

    private synchronized void take(HeadReport report) {
        reports.add(report);
        notifyAll();
    }

    private void poll(HttpExchange exchange) throws IOException, InterruptedException {
        String query = exchange.getRequestURI().getQuery();
        long after = number(query, "after");
        Optional<DesiredState> news = newer(after, Duration.ofSeconds(number(query, "waitSeconds")));
        if (news.isPresent()) {
            answer(exchange, json(news.get()));
        } else {
            exchange.sendResponseHeaders(204, -1);
        }
    }

    private synchronized Optional<DesiredState> newer(long after, Duration wait) throws InterruptedException {
        long giveUp = System.nanoTime() + wait.toNanos();
        while (mood == Mood.WELL && !closed) {
            if (desired.isPresent() && desired.get().generation().value() > after) {
                return desired;
            }
            long left = (giveUp - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                break;
            }
            wait(left);
        }
        return Optional.empty();
    }

    private static long number(String query, String name) {
        for (String part : query.split("&", -1)) {
            if (part.startsWith(name + "=")) {
                return Long.parseLong(part.substring(name.length() + 1));
            }
        }
        throw new IllegalArgumentException(name + " is not in " + query);
    }

    private static byte[] json(Object value) throws IOException {
        return ContractJson.mapper().writeValueAsBytes(value);
    }

    private static void answer(HttpExchange exchange, byte[] body) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        server.stop(0);
    }
}
