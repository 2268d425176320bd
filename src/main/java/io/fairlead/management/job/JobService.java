package io.fairlead.management.job;

import io.fairlead.contract.PathReport;
import io.fairlead.contract.Reason;
import io.fairlead.contract.StepReport;
import io.fairlead.contract.Transport;
import io.fairlead.core.Failure;
import io.fairlead.core.FailureCode;
import io.fairlead.core.Generation;
import io.fairlead.core.HeadId;
import io.fairlead.core.Ids;
import io.fairlead.core.JobId;
import io.fairlead.core.PathId;
import io.fairlead.management.head.Head;
import io.fairlead.management.head.HeadService;
import io.fairlead.management.head.Listener;
import io.fairlead.management.head.ListenerService;
import io.fairlead.management.head.ObservedService;
import io.fairlead.platform.PageQuery;
import io.fairlead.platform.database.Notifications;
import io.quarkus.scheduler.Scheduled;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Opens jobs, holds them against reports, and ends them: with success when everything they wait for was observed at once, with failure
 * when their time is over. Each job is changed under the lock of its row, so replicas do not disturb each other.
 */
@Singleton
public class JobService {

    private final JobRepository jobs;
    private final HeadService heads;
    private final ListenerService listeners;
    private final ObservedService observed;
    private final Notifications notifications;
    private final Ids ids;
    private final InstantSource clock;

    @Inject
    public JobService(
            JobRepository jobs,
            HeadService heads,
            ListenerService listeners,
            ObservedService observed,
            Notifications notifications,
            Ids ids,
            InstantSource clock) {
        this.jobs = jobs;
        this.heads = heads;
        this.listeners = listeners;
        this.observed = observed;
        this.notifications = notifications;
        this.ids = ids;
        this.clock = clock;
    }

    /**
     * Opens a job in the transaction of the change. With nothing to wait for it has succeeded at once.
     *
     * @param summary a sentence for people; never a secret
     * @param deadline from now; then the job fails with the last observed reason
     */
    @Transactional(Transactional.TxType.MANDATORY)
    public JobId open(
            JobKind kind, String summary, List<Concern> concerns, List<PathConcern> paths, Duration deadline) {
        JobId id = new JobId(ids.next());
        Instant now = clock.instant();
        List<Job.Step> steps = new ArrayList<>();
        for (Concern concern : concerns) {
            steps.add(step(
                    steps.size(),
                    concern.headId(),
                    concern.generation(),
                    Job.Subject.valueOf(concern.kind().name()),
                    concern.objectId(),
                    Job.Wanted.valueOf(concern.wanted().name())));
        }
        for (PathConcern path : paths) {
            steps.add(step(
                    steps.size(),
                    path.headId(),
                    path.generation(),
                    Job.Subject.PATH,
                    path.pathId().value(),
                    Job.Wanted.PROVEN));
        }
        Job job = new Job(
                id,
                kind,
                summary,
                JobState.RUNNING,
                now,
                now.plus(deadline),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                steps);
        jobs.add(job);
        if (steps.isEmpty()) {
            jobs.finish(id, JobState.SUCCEEDED, now, Optional.empty(), new JobView.Result(List.of()));
        }
        return id;
    }

    private static Job.Step step(
            int ordinal, HeadId head, Generation generation, Job.Subject subject, UUID object, Job.Wanted wanted) {
        return new Job.Step(
                ordinal,
                head,
                generation,
                subject,
                object,
                wanted,
                JobView.StepState.PENDING,
                Optional.empty(),
                Optional.empty(),
                "",
                Optional.empty());
    }

    /** Holds the open jobs of the head against what it has just reported. Called in the transaction that stored the report. */
    @Transactional(Transactional.TxType.MANDATORY)
    public void evaluate(HeadId head, List<StepReport> reports) {
        for (JobId id : jobs.lockRunning(head)) {
            evaluate(jobs.find(id).orElseThrow(), head, reports);
        }
    }

    private void evaluate(Job job, HeadId head, List<StepReport> reports) {
        Generation reached =
                heads.get(head).status().map(Head.Status::generation).orElse(Generation.NONE);
        Evaluation evaluation = new Evaluation(observed, reached, reports, clock.instant());
        boolean changed = false;
        boolean allEnded = true;
        for (Job.Step step : job.steps()) {
            Job.Step now = step.headId().equals(head) ? evaluation.evaluate(step) : step;
            if (!now.equals(step)) {
                jobs.update(job.id(), now);
                changed = true;
            }
            allEnded &= now.hasEnded();
        }
        if (allEnded) {
            jobs.finish(job.id(), JobState.SUCCEEDED, clock.instant(), Optional.empty(), result(job));
        }
        if (changed || allEnded) {
            notifications.send(topic(job.id()));
        }
    }

    /** Fails what is overdue. Any number of replicas may run this at the same time. */
    @Scheduled(
            every = "1s",
            skipExecutionIf = Scheduled.ApplicationNotRunning.class,
            concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    @Transactional
    void failOverdue() {
        Instant now = clock.instant();
        for (JobId id : jobs.lockOverdue(now)) {
            Job job = jobs.find(id).orElseThrow();
            for (Job.Step step : job.steps()) {
                if (!step.hasEnded()) {
                    jobs.update(id, failed(step, now));
                }
            }
            jobs.finish(id, JobState.FAILED, now, Optional.of(reasonOf(job)), result(job));
            notifications.send(topic(id));
        }
    }

    private static Job.Step failed(Job.Step step, Instant now) {
        return new Job.Step(
                step.ordinal(),
                step.headId(),
                step.generation(),
                step.subject(),
                step.objectId(),
                step.wanted(),
                JobView.StepState.FAILED,
                step.startedAt(),
                Optional.of(now),
                step.detail(),
                step.reasonCode());
    }

    /** The first reason that a head gave for what is not done, in the order of the steps: what comes later often follows from it. */
    private static Reason reasonOf(Job job) {
        return job.steps().stream()
                .filter(step -> !step.hasEnded() && step.reasonCode().isPresent())
                .findFirst()
                .map(step -> new Reason(step.reasonCode().orElseThrow(), step.detail()))
                .orElseGet(() -> new Reason(
                        "job.deadline",
                        "Head " + job.steps().getFirst().headId()
                                + " did not finish in time and gave no reason. Look whether its worker runs."));
    }

    private JobView.Result result(Job job) {
        List<JobView.Path> paths = new ArrayList<>();
        for (Job.Step step : job.steps()) {
            if (step.subject() == Job.Subject.PATH) {
                paths.add(path(step));
            }
        }
        return new JobView.Result(paths);
    }

    private JobView.Path path(Job.Step step) {
        PathId id = new PathId(step.objectId());
        Optional<PathReport> report = observed.path(id)
                .filter(found -> !step.generation().isAfter(found.generation()))
                .map(ObservedService.ObservedPath::report);
        Optional<PathReport.Proof> proof = report.flatMap(PathReport::proof);
        return new JobView.Path(
                id,
                report.map(PathReport::state).orElse(PathReport.State.PENDING),
                proof.flatMap(evidence -> transport(step.headId(), evidence)),
                report.flatMap(PathReport::reason),
                proof.map(evidence -> new JobView.Proof(
                        evidence.provenAt(),
                        evidence.traddr(),
                        evidence.trsvcid(),
                        evidence.authentication(),
                        evidence.refusalWithoutKey(),
                        evidence.p50Nanos(),
                        evidence.p99Nanos(),
                        evidence.reads(),
                        evidence.namespaces())));
    }

    /** The transport of the listener that the proof went through; one with port 0 has the port that its head chose. */
    private Optional<Transport> transport(HeadId head, PathReport.Proof proof) {
        return listeners.ofHead(head).stream()
                .filter(listener -> listener.traddr().equals(proof.traddr())
                        && (listener.trsvcid() == proof.trsvcid() || listener.trsvcid() == 0))
                .map(Listener::transport)
                .findFirst();
    }

    /** What {@link Notifications} calls a change of this job. */
    static String topic(JobId id) {
        return "job/" + id;
    }

    /** The job, or {@link FailureCode#JOB_NOT_FOUND}. */
    public JobView get(JobId id) {
        return jobs.find(id)
                .map(this::view)
                .orElseThrow(() -> Failure.of(
                        FailureCode.JOB_NOT_FOUND, "There is no job with this id. List them with GET /api/v1/jobs."));
    }

    List<JobView> page(PageQuery query) {
        return jobs.page(query.after(), query.rowsMax()).stream()
                .map(this::view)
                .toList();
    }

    private JobView view(Job job) {
        return new JobView(
                job.id(),
                job.kind(),
                job.summary(),
                job.state(),
                job.createdAt(),
                job.deadlineAt(),
                job.finishedAt(),
                job.steps().stream()
                        .map(step -> new JobView.Step(
                                step.headId(),
                                step.name(),
                                step.state(),
                                step.startedAt(),
                                step.finishedAt(),
                                step.detail()))
                        .toList(),
                job.progressPercent(),
                job.failure(),
                job.result().orElseGet(() -> result(job)));
    }
}
