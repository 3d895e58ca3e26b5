export { ConnectionError, RosterError, TimeoutError } from './errors.ts';
export type { AgentAnswer } from './runtime/agent.ts';
export { Channel, type ChannelOptions } from './runtime/channel.ts';
export type { ReportOptions } from './runtime/reports.ts';
export type { CallEvent, ChannelAgent, RecordedCall, Session, SessionInput } from './runtime/types.ts';
export { webhooks } from './webhooks.ts';
