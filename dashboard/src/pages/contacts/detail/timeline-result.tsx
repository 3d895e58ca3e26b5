import type { Call } from '../../../api/types.gen.ts';
import { DispositionBadge, Goals } from '../../../records/calls/results.tsx';

/** What a call came to: its disposition, its goals and its summary. */
export const TimelineResult = ({ call }: { readonly call: Call }) => (
  <>
    {(call.disposition || Object.keys(call.goals).length > 0) && (
      <div className="mt-1 flex flex-wrap gap-1">
        {call.disposition && <DispositionBadge disposition={call.disposition} />}
        {Object.keys(call.goals).length > 0 && <Goals goals={call.goals} />}
      </div>
    )}
    {call.summary && (
      <p dir="auto" className="mt-1 line-clamp-3 wrap-anywhere" title={call.summary}>
        {call.summary}
      </p>
    )}
  </>
);
