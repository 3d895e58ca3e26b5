import type { Calendar } from './calendar.ts';
import { iso } from './calendar.ts';
import { type Dice, uuidAt } from './dice.ts';
import { type Story, stories } from './stories.ts';

export interface SampleDeploy {
  at: number;
  /** The index of the version. */
  version: number;
  by: number;
  note: string | null;
}

export interface SampleAgent {
  id: string;
  name: string;
  description: string;
  created_at: string;
  updated_at: string;
  versions: { id: string; created_at: string; instructions: string }[];
  /** Oldest first. */
  deploys: SampleDeploy[];
}

const agentOf = (
  dice: Dice,
  calendar: Calendar,
  { texts, written, deploys, ...rest }: Story,
): SampleAgent => {
  const moments = written.map((ago) => calendar.on(ago));
  const made = deploys.map(({ ago, version, by, note }) => ({
    at: calendar.on(ago),
    version: version - 1,
    by,
    note,
  }));
  const [first = calendar.now] = moments;
  return {
    id: uuidAt(dice, first),
    ...rest,
    created_at: iso(first),
    updated_at: iso(Math.max(...moments, ...made.map(({ at }) => at))),
    versions: texts.map((instructions, at) => {
      const moment = moments[at] ?? first;
      return { id: uuidAt(dice, moment), created_at: iso(moment), instructions };
    }),
    deploys: made,
  };
};

/** Oldest first. */
export const sampleAgents = (dice: Dice, calendar: Calendar): SampleAgent[] =>
  stories.map((story) => agentOf(dice, calendar, story));

/** The version that was deployed at a time. */
export const versionAt = ({ versions, deploys }: SampleAgent, at: number): string | undefined => {
  const last = deploys.findLast((deploy) => deploy.at <= at);
  return last && versions[last.version]?.id;
};
