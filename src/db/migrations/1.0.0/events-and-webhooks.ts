import { dialect } from '../dialect.ts';
import type { Statements } from '../migration.ts';

export const eventsAndWebhooks: Statements = (engine) => {
  const { int8, order, index } = dialect[engine];
  return [
    // The log of changes that other systems read. `seq` is the position of an event; a negative one is provisional (see
    // `provisionalSeq` in db/dialect.ts).
    `create table events (
      workspace_id ${int8} not null references workspaces (id),
      seq ${order},
      at text not null,
      type text not null,
      subject text not null,
      contact_id text,
      agent_id text,
      campaign_id text,
      actor text not null,
      request_id text,
      changed text,
      data text,
      primary key (workspace_id, seq)
    ) ${index}`,
    // To erase the snapshots of a deleted contact.
    `create index events_of_contact on events (workspace_id, contact_id, seq) where contact_id is not null`,
    // To erase the number of a deleted contact from the snapshots of calls that are not linked to it.
    `create index events_of_call on events (workspace_id, subject) where type in ('call.recorded', 'call.updated')`,

    // `position` is the last event that an endpoint has taken over from the log. A delivery exists only until it succeeds. Its
    // `due_at` is the time of the next attempt, or the end of the lease of one in flight. `subject` is set if the endpoint is ordered.
    // `include` has the members that it gets in addition: a JSON array.
    `create table webhook_endpoints (
      workspace_id ${int8} not null references workspaces (id),
      id text not null,
      url text not null,
      description text,
      types text,
      filter_tag text,
      filter_agent_id text,
      filter_campaign_id text,
      payload text not null,
      ordered int not null,
      max_concurrency int not null,
      rate_per_second int,
      status text not null,
      disabled_reason text,
      secret_sealed text not null,
      old_secret_sealed text,
      old_secret_expires_at text,
      position ${int8} not null,
      rate_until text,
      replay_next ${int8},
      replay_until ${int8},
      replay_since text,
      replay_before text,
      replay_failed int not null default 0,
      failing_since text,
      last_delivery_at text,
      created_at text not null,
      updated_at text not null,
      include text not null default '[]',
      primary key (workspace_id, id)
    ) ${index}`,
    `create table webhook_deliveries (
      workspace_id ${int8} not null,
      endpoint_id text not null,
      event_seq ${int8} not null,
      subject text,
      status text not null,
      attempts int not null,
      due_at text not null,
      lease_id text,
      created_at text not null,
      primary key (workspace_id, endpoint_id, event_seq)
    ) ${index}`,
    `create index webhook_deliveries_due on webhook_deliveries (workspace_id, endpoint_id, due_at, event_seq)
      where status = 'pending'`,
    `create index webhook_deliveries_of_subject on webhook_deliveries (workspace_id, endpoint_id, subject, event_seq)
      where status = 'pending' and subject is not null`,
    `create index webhook_deliveries_failed on webhook_deliveries (workspace_id, endpoint_id, event_seq)
      where status = 'failed'`,
    `create table webhook_attempts (
      workspace_id ${int8} not null,
      seq ${order},
      endpoint_id text not null,
      event_seq ${int8} not null,
      event_id text not null,
      event_type text not null,
      attempt int not null,
      at text not null,
      duration_ms int not null,
      result text not null,
      status int,
      error text,
      response_body text not null,
      signature text not null,
      primary key (workspace_id, seq)
    ) ${index}`,
    'create index webhook_attempts_of_endpoint on webhook_attempts (workspace_id, endpoint_id, seq)',
    `create index webhook_attempts_failed on webhook_attempts (workspace_id, endpoint_id, result, seq)
      where result <> 'delivered'`,
  ];
};
