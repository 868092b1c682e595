package dev.postonce.sandbox.http;

import com.sun.net.httpserver.HttpExchange;
import dev.postonce.sandbox.fault.FaultDecision;
import dev.postonce.sandbox.fault.FaultInjector;
import dev.postonce.sandbox.fault.FaultKind;
import dev.postonce.sandbox.journal.Json;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Pattern;

/** From the path to the stand-in, with the faults between them. */
public final class Router implements AutoCloseable {

    private static final Pattern ACCOUNT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private final Map<String, StandIn> standIns = new LinkedHashMap<>();
    private final FaultInjector faults;
    private final RequestLog log;
    private final Function<SandboxRequest, Answer> control;
    private final ScheduledExecutorService delays;

    public Router(
            List<StandIn> standIns, FaultInjector faults, RequestLog log, Function<SandboxRequest, Answer> control) {
        standIns.forEach(standIn -> this.standIns.put(standIn.platform(), standIn));
        this.faults = faults;
        this.log = log;
        this.control = control;
        this.delays = Executors.newScheduledThreadPool(2, runnable -> {
            Thread thread = new Thread(runnable, "sandbox-delays");
            thread.setDaemon(true);
            return thread;
        });
    }

    void route(HttpExchange exchange, Map<String, String> headers, byte[] body) {
        String[] parts = exchange.getRequestURI().getRawPath().split("/", 4);
        String first = parts.length > 1 ? parts[1] : "";
        String second = parts.length > 2 ? parts[2] : "";
        String rest = parts.length > 3 ? "/" + parts[3] : "";
        String query = exchange.getRequestURI().getRawQuery();
        SandboxRequest request = new SandboxRequest(exchange.getRequestMethod(), second, rest, query, headers, body);
        StandIn standIn = standIns.get(first);
        if (standIn == null) {
            boolean ours = first.equals("_sandbox") || first.equals("actuator");
            HttpFrame.send(exchange, ours ? control.apply(request) : notFound("no sandbox platform is at this path"));
            return;
        }
        if (!ACCOUNT.matcher(second).matches()) {
            HttpFrame.send(exchange, notFound("the path goes on with a name: letters, digits, dot, dash"));
            return;
        }
        FaultDecision fault = faults.decide(
                standIn.platform(), identity(request), standIn.changesSomething(request), standIn.createsPost(request));
        if (fault.is(FaultKind.DELAY) && fault.settings().delayBefore()) {
            later(exchange, fault, () -> answer(exchange, standIn, request, fault));
        } else {
            answer(exchange, standIn, request, fault);
        }
    }

    private void answer(HttpExchange exchange, StandIn standIn, SandboxRequest request, FaultDecision fault) {
        Recording recording = new Recording(log, standIn.platform(), request, fault);
        if (fault.preventsActing()) {
            refuse(exchange, standIn, recording);
            return;
        }
        Answer answer = standIn.act(request, recording);
        recording.recordIfNotYet(answer.status());
        if (fault.is(FaultKind.SWALLOW)) {
            // Nothing was sent yet, so this ends the connection.
            exchange.close();
        } else if (fault.is(FaultKind.STATUS_5XX)) {
            HttpFrame.send(exchange, serverError(fault));
        } else if (fault.is(FaultKind.DELAY) && !fault.settings().delayBefore()) {
            later(exchange, fault, () -> HttpFrame.send(exchange, answer));
        } else {
            HttpFrame.send(exchange, answer);
        }
    }

    private static void refuse(HttpExchange exchange, StandIn standIn, Recording recording) {
        FaultDecision fault = recording.fault();
        if (fault.is(FaultKind.DROP)) {
            recording.record(0, null);
            exchange.close();
            return;
        }
        Answer refusal =
                fault.is(FaultKind.STATUS_429) ? standIn.tooManyRequests(fault.settings()) : serverError(fault);
        Integer retryAfterS = fault.settings().retryAfterS();
        if (retryAfterS != null) {
            refusal = refusal.with("Retry-After", String.valueOf(retryAfterS));
        }
        recording.record(refusal.status(), null);
        HttpFrame.send(exchange, refusal);
    }

    private void later(HttpExchange exchange, FaultDecision fault, Runnable task) {
        try {
            delays.schedule(
                    () -> {
                        try {
                            task.run();
                        } catch (RuntimeException e) {
                            exchange.close();
                        }
                    },
                    fault.settings().delayMs(),
                    TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            exchange.close();
        }
    }

    /** As a proxy before the platform would speak: no JSON. */
    private static Answer serverError(FaultDecision fault) {
        int status = fault.settings().serverErrorStatus();
        return Answer.text(status, "text/html; charset=UTF-8", "<html><body><h1>" + status + "</h1></body></html>\n");
    }

    private static Answer notFound(String message) {
        return Answer.json(404, Json.object().put("code", "not_found").put("message", message));
    }

    private static byte[] identity(SandboxRequest request) {
        ByteArrayOutputStream identity = new ByteArrayOutputStream();
        String head = request.method() + " " + request.account() + request.path() + "?" + request.rawQuery() + "\n";
        identity.writeBytes(head.getBytes(StandardCharsets.UTF_8));
        identity.writeBytes(request.body());
        return identity.toByteArray();
    }

    @Override
    public void close() {
        delays.shutdownNow();
    }
}
