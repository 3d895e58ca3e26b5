import { Check, X } from 'lucide-react';
import type { Call } from '../../api/types.gen.ts';
import { t } from '../../lib/i18n.ts';
import { Badge } from '../../ui/badge.tsx';
import { dispositionText, keyText, useDispositions } from './settings.ts';

export const DispositionBadge = ({ disposition }: { readonly disposition: string }) => {
  const dispositions = useDispositions();
  return <Badge tone="info">{dispositions ? dispositionText(dispositions, disposition) : '…'}</Badge>;
};

/** Goals as badges, those that were reached first. */
export const Goals = ({ goals }: Pick<Call, 'goals'>) => (
  <ul className="flex min-w-0 flex-wrap gap-1">
    {Object.entries(goals)
      .sort(([, one], [, other]) => Number(other) - Number(one))
      .map(([key, isReached]) => (
        <li key={key} className="max-w-full">
          <Badge tone={isReached ? 'good' : 'plain'}>
            <span className="inline-flex max-w-full items-center gap-1">
              {isReached ? (
                <Check className="size-3 shrink-0" aria-hidden />
              ) : (
                <X className="size-3 shrink-0" aria-hidden />
              )}
              <span className="truncate">{keyText(key)}</span>
              <span className="sr-only">{isReached ? t('(reached)') : t('(missed)')}</span>
            </span>
          </Badge>
        </li>
      ))}
  </ul>
);

/** The disposition, and the goals below it. */
export const CallResult = ({ call }: { readonly call: Call }) => (
  <div className="flex min-w-0 flex-col items-start gap-1">
    {call.disposition && <DispositionBadge disposition={call.disposition} />}
    {Object.keys(call.goals).length > 0 && <Goals goals={call.goals} />}
  </div>
);
