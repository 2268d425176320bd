package io.fairlead.management.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.fairlead.contract.ContractJson;
import io.fairlead.contract.Reason;
import io.fairlead.core.Generation;
import io.fairlead.core.HeadId;
import io.fairlead.core.JobId;
import io.fairlead.platform.database.Sql;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Rows of jobs and of their steps. */
@Singleton
class JobRepository {

    private static final String SELECT = "select id, kind, summary, state, created_at, deadline_at, finished_at,"
            + " failure_code, failure_text, result from job ";

    private final Sql sql;

    @Inject
    JobRepository(Sql sql) {
        this.sql = sql;
    }

    void add(Job job) {
        sql.update(
                "insert into job (id, kind, summary, state, created_at, deadline_at) values (?, ?, ?, 'RUNNING', ?, ?)",
                job.id().value(),
                job.kind().name(),
                job.summary(),
                job.createdAt(),
                job.deadlineAt());
        for (Job.Step step : job.steps()) {
            sql.update(
                    "insert into job_step (job_id, ordinal, head_id, generation, kind, object_id, wanted, state, detail)"
                            + " values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    job.id().value(),
                    step.ordinal(),
                    step.headId().value(),
                    step.generation().value(),
                    step.subject().name(),
                    step.objectId(),
                    step.wanted().name(),
                    step.state().name(),
                    step.detail());
        }
    }

    Optional<Job> find(JobId id) {
        return sql.first(SELECT + "where id = ?", this::read, id.value());
    }

    List<Job> page(UUID after, int rowsMax) {
        return sql.list(SELECT + "where id > ? order by id limit ?", this::read, after, rowsMax);
    }

    /** Running jobs that concern the head, locked in the order of their ids. */
    List<JobId> lockRunning(HeadId head) {
        return sql.list(
                "select id from job where state = 'RUNNING' and id in (select job_id from job_step where head_id = ?)"
                        + " order by id for update",
                JobRepository::readId,
                head.value());
    }

    /** Running jobs whose time is over, locked; those that another transaction holds are left to it. */
    List<JobId> lockOverdue(Instant now) {
        return sql.list(
                "select id from job where state = 'RUNNING' and deadline_at <= ? order by id limit 100 for update skip locked",
                JobRepository::readId,
                now);
    }

    void update(JobId id, Job.Step step) {
        sql.update(
                "update job_step set state = ?, started_at = ?, finished_at = ?, detail = ?, reason_code = ?"
                        + " where job_id = ? and ordinal = ?",
                step.state().name(),
                step.startedAt().map(java.sql.Timestamp::from).orElse(null),
                step.finishedAt().map(java.sql.Timestamp::from).orElse(null),
                step.detail(),
                step.reasonCode().orElse(null),
                id.value(),
                step.ordinal());
    }

    void finish(JobId id, JobState state, Instant at, Optional<Reason> failure, JobView.Result result) {
        sql.update(
                "update job set state = ?, finished_at = ?, failure_code = ?, failure_text = ?, result = ?::jsonb where id = ?",
                state.name(),
                at,
                failure.map(Reason::code).orElse(null),
                failure.map(Reason::text).orElse(null),
                json(result),
                id.value());
    }

    private List<Job.Step> steps(JobId id) {
        return sql.list(
                "select ordinal, head_id, generation, kind, object_id, wanted, state, started_at, finished_at, detail, reason_code"
                        + " from job_step where job_id = ? order by ordinal",
                JobRepository::readStep,
                id.value());
    }

    private static JobId readId(ResultSet row) throws SQLException {
        return new JobId(row.getObject("id", UUID.class));
    }

    private Job read(ResultSet row) throws SQLException {
        JobId id = readId(row);
        String failureCode = row.getString("failure_code");
        String result = row.getString("result");
        return new Job(
                id,
                JobKind.valueOf(row.getString("kind")),
                row.getString("summary"),
                JobState.valueOf(row.getString("state")),
                Sql.instant(row, "created_at").orElseThrow(),
                Sql.instant(row, "deadline_at").orElseThrow(),
                Sql.instant(row, "finished_at"),
                failureCode == null
                        ? Optional.empty()
                        : Optional.of(new Reason(failureCode, row.getString("failure_text"))),
                Optional.ofNullable(result).map(JobRepository::result),
                steps(id));
    }

    private static Job.Step readStep(ResultSet row) throws SQLException {
        return new Job.Step(
                row.getInt("ordinal"),
                new HeadId(row.getObject("head_id", UUID.class)),
                new Generation(row.getLong("generation")),
                Job.Subject.valueOf(row.getString("kind")),
                row.getObject("object_id", UUID.class),
                Job.Wanted.valueOf(row.getString("wanted")),
                JobView.StepState.valueOf(row.getString("state")),
                Sql.instant(row, "started_at"),
                Sql.instant(row, "finished_at"),
                row.getString("detail"),
                Optional.ofNullable(row.getString("reason_code")));
    }

    private static String json(JobView.Result result) {
        try {
            return ContractJson.mapper().writeValueAsString(result);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a result that cannot be written", e);
        }
    }

    private static JobView.Result result(String text) {
        try {
            return ContractJson.mapper().readValue(text, JobView.Result.class);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a stored result that cannot be read", e);
        }
    }
}
