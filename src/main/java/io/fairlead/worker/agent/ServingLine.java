package io.fairlead.worker.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.fairlead.contract.ContractJson;
import io.fairlead.contract.ObjectState;
import io.fairlead.core.Generation;
import io.fairlead.worker.engine.Reconciliation;
import java.util.LinkedHashMap;
import java.util.Map;

/** The one line on standard output by which whoever started the worker knows that it serves. */
final class ServingLine {

    private ServingLine() {}

    static void print(Findings findings) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("event", "serving");
        line.put(
                "generation",
                findings.reconciliation()
                        .map(found -> found.desired().generation())
                        .orElse(Generation.NONE));
        line.put("engine", findings.engine().report().name());
        line.put(
                "objects",
                findings.reconciliation().map(found -> found.objects().size()).orElse(0));
        line.put("ready", findings.reconciliation().map(ServingLine::ready).orElse(0L));
        try {
            System.out.println(ContractJson.mapper().writeValueAsString(line));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
        System.out.flush();
    }

    private static long ready(Reconciliation found) {
        return found.objects().stream()
                .filter(object -> object.state() == ObjectState.READY)
                .count();
    }
}
