import { TriangleAlert } from 'lucide-react';
import { PLACEHOLDER, suggestionFor, unknownVariablesIn } from '../../api/placeholders.gen.ts';
import { useDebounced } from '../../app/debounced-text.ts';
import { plural, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { rich } from '../../ui/rich.tsx';
import { useVariables } from './variables.ts';

/** A placeholder that is still being typed is not a mistake. */
const DELAY_MS = 700;
const MAX_SHOWN = 4;

/** A fallback stays. */
const replaced = (text: string, placeholder: string, variable: string): string =>
  text.replace(PLACEHOLDER, (match, _, fallback?: string) =>
    match !== placeholder
      ? match
      : fallback === undefined
        ? `{{${variable}}}`
        : `{{${variable}|${fallback}}}`,
  );

/** An unknown variable, and the one that was probably meant. */
export const UnknownVariable = ({
  placeholder,
  suggestion,
}: {
  readonly placeholder: string;
  readonly suggestion: string | null | undefined;
}) => {
  const variable = <code className="font-mono">{placeholder}</code>;
  return suggestion
    ? rich('{variable} – did you mean {suggestion}?', {
        variable,
        suggestion: <code className="font-mono">{`{{${suggestion}}}`}</code>,
      })
    : rich('{variable} is unknown.', { variable });
};

const NAME = /^[a-z][a-z0-9_]{0,39}$/;
/** A declared name does not complete mistyped braces, such as `{{slot`. */
const isClosed = (placeholder: string): boolean => /^\{\{.*\}\}$/s.test(placeholder);

/** Lists unknown variables, with a button to fix each. */
const UnknownVariables = ({
  text,
  agent,
  onChange,
  onDeclare,
}: {
  readonly text: string;
  /** The id of the agent, unless it is not created yet. */
  readonly agent?: string;
  readonly onChange: (text: string) => void;
  /** Declares a variable for the agent. */
  readonly onDeclare?: (name: string) => void;
}) => {
  const names = useVariables(agent)?.names;
  const later = useDebounced(text, DELAY_MS);
  const debounced = names ? unknownVariablesIn(later, names).map(({ placeholder }) => placeholder) : [];
  const unknown = names
    ? unknownVariablesIn(text, names).filter(({ placeholder }) => debounced.includes(placeholder))
    : [];
  return (
    <div aria-live="polite">
      {unknown.length > 0 && (
        <div className="flex gap-3 bg-warn-soft px-3.5 py-2.5 text-sm text-warn-ink">
          <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
          <div className="min-w-0 flex-1">
            <p>
              {plural(
                unknown.length,
                '# unknown variable. It may be read out literally.',
                '# unknown variables. They may be read out literally.',
              )}{' '}
              {onDeclare && t('Declare variables that only a campaign or your runtime provides.')}
            </p>
            <ul aria-label={t('Unknown variables')} className="mt-1 flex flex-col gap-1">
              {unknown.slice(0, MAX_SHOWN).map(({ placeholder, name }) => {
                const variable = suggestionFor(name, names);
                return (
                  <li key={placeholder} className="flex min-h-8 flex-wrap items-center gap-x-2 gap-y-1">
                    <span className="min-w-0 wrap-anywhere">
                      <UnknownVariable placeholder={placeholder} suggestion={variable} />
                    </span>
                    {variable && (
                      <Button
                        size="small"
                        aria-label={t('Replace {placeholder} with {variable}', {
                          placeholder,
                          variable: `{{${variable}}}`,
                        })}
                        onClick={() => onChange(replaced(text, placeholder, variable))}
                      >
                        {t('Replace')}
                      </Button>
                    )}
                    {onDeclare && !variable && NAME.test(name) && isClosed(placeholder) && (
                      <Button
                        size="small"
                        aria-label={t('Declare {name}', { name })}
                        onClick={() => onDeclare(name)}
                      >
                        {t('Declare')}
                      </Button>
                    )}
                  </li>
                );
              })}
              {unknown.length > MAX_SHOWN && (
                <li>{t('and {count} more', { count: unknown.length - MAX_SHOWN })}</li>
              )}
            </ul>
          </div>
        </div>
      )}
    </div>
  );
};

export default UnknownVariables;
