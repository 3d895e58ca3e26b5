import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { speakers } from './result.schema.ts';

export const MAX_TURNS = 2_000;
/** Of the body. */
export const MAX_TRANSCRIPT_BYTES = 524_288;

const turn = v.object(
  {
    speaker: v.oneOf(speakers),
    text: v.text({ max: 4_096 }),
    at: v.described(v.nullable(v.dateTime()), 'When the turn began, with its time zone; `null` if unknown.'),
  },
  { title: 'TurnInput', required: ['speaker', 'text'] },
);

export const transcriptBody = v.object(
  {
    turns: v.listOf(v.nested(turn), {
      max: MAX_TURNS,
      description: `What was said, in its order: at most ${MAX_TURNS} turns. Send an empty array to erase the transcript.`,
    }),
  },
  { title: 'TranscriptInput', required: ['turns'] },
);
export type Turn = ReturnType<typeof turn.read>;

const expires_at = s.dateTime('When it is deleted, by the call settings as they are now.');

export const storedTranscript = s.object('StoredTranscript', {
  expires_at: s.orNull(expires_at, '`null` if it was erased.'),
});
export const transcriptResponse = s.object('Transcript', {
  turns: s.list(s.object('Turn', v.schemasOf(turn.fields))),
  expires_at,
});
