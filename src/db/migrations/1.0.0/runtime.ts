import { dialect, withoutSamples } from '../dialect.ts';
import type { Statements } from '../migration.ts';

/** Versions with a configuration, sessions of runtimes, and the results of calls. */
export const runtime: Statements = (engine) => {
  const { int8, table, index } = dialect[engine];
  return [
    // `config` is JSON as it was sent; null is `{}`. `config_sha256` is the hash of its canonical form.
    'alter table agent_versions add column config text',
    'alter table agent_versions add column config_sha256 text',
    'alter table agent_versions add column note text',
    // The JSON Schema of the configuration, as it was sent.
    'alter table agents add column config_schema text',

    // The start of a conversation: its version, its contact and the hash of its text. `variables` and `holes` are JSON.
    `create table call_sessions (
      workspace_id ${int8} not null references workspaces (id),
      id text not null,
      channel_id text not null,
      provider_id text not null,
      agent_id text not null,
      version_id text not null,
      contact_id text,
      direction text not null check (direction in ('inbound', 'outbound')),
      number text,
      number_identity text,
      variables text,
      instructions_sha256 text,
      holes text,
      at text not null,
      primary key (workspace_id, id),
      unique (workspace_id, channel_id, provider_id)
    ) ${table}`,
    'create index call_sessions_by_time on call_sessions (workspace_id, at)',
    'create index call_sessions_of_contact on call_sessions (workspace_id, contact_id) where contact_id is not null',
    `create index call_sessions_of_number on call_sessions (workspace_id, number_identity)
      where number_identity is not null`,

    // The result of a call. `goals`, `data` and `cost` are JSON.
    'alter table calls add column session_id text',
    'alter table calls add column disposition text',
    'alter table calls add column goals text',
    'alter table calls add column ended_by text',
    'alter table calls add column cost text',
    'alter table calls add column recording_url text',
    'alter table calls add column summary text',
    'alter table calls add column text text',
    'alter table calls add column data text',
    `create index calls_by_disposition on calls (workspace_id, disposition, started_at, seq)
      where disposition is not null`,
    'create index calls_of_number_by_start on calls (workspace_id, number_identity, started_at, seq)',
    // The entries of goals: KEY if it was reached, -KEY if it was missed.
    `create table call_goals (
      workspace_id ${int8} not null references workspaces (id),
      goal text not null,
      started_at text not null,
      seq ${int8} not null,
      primary key (workspace_id, goal, started_at, seq)
    ) ${index}`,
    // What users add to a call. `tags` is a JSON array; null if there are none.
    'alter table calls add column note text',
    'alter table calls add column tags text',
    `create table call_tags (
      workspace_id ${int8} not null references workspaces (id),
      tag text not null,
      started_at text not null,
      seq ${int8} not null,
      primary key (workspace_id, tag, started_at, seq)
    ) ${index}`,
    // Summary and note, and the transcript, in lower case and without accents, in the order in which a search reads them. `size` is the
    // transcript's length. It is in front of the texts, so that SQLite need not read them for it.
    `create table call_texts (
      workspace_id ${int8} not null references workspaces (id),
      started_at text not null,
      seq ${int8} not null,
      size int not null,
      text text not null,
      transcript text not null,
      primary key (workspace_id, started_at, seq)
    ) ${index}`,
    'create index calls_with_duration on calls (workspace_id, started_at, seq, seconds) where seconds >= 0',
    `create index calls_of_other_number on calls (workspace_id, number, started_at, seq)
      where number <> coalesce(number_identity, '')`,
    ...withoutSamples(engine, 'calls', 'data', 'summary', 'text', 'recording_url', 'note', 'tags'),
    ...withoutSamples(engine, 'call_texts', 'text', 'transcript'),
    ...withoutSamples(engine, 'call_sessions', 'variables', 'number', 'number_identity'),

    // `turns` is a JSON array. The row expires with the workspace's retention of transcripts.
    `create table transcripts (
      workspace_id ${int8} not null references workspaces (id),
      call_id text not null,
      turns text not null,
      at text not null,
      primary key (workspace_id, call_id)
    ) ${table}`,
    ...withoutSamples(engine, 'transcripts', 'turns'),
    'create index transcripts_by_time on transcripts (workspace_id, at)',

    // The dispositions of calls, the rules that copy results to fields, and the retention of transcripts: JSON.
    'alter table workspaces add column call_settings text',
    // The voice platform that calls the channel's hook in its own format.
    `alter table channels add column adapter text not null default 'native'`,
    // The endpoint of a workspace's own with which its users try versions in a chat. Without a row, chats are off.
    `create table chat_models (
      workspace_id ${int8} not null references workspaces (id),
      id text not null,
      url text not null,
      model text not null,
      key_sealed text,
      primary key (workspace_id)
    ) ${index}`,
    // What happens to an enrollment by the disposition of an attempt: a JSON array.
    'alter table campaigns add column retry_rules text',
  ];
};
