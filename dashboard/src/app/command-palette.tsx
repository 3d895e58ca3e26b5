import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { plural, t } from '../lib/i18n.ts';
import { DialogContent } from '../ui/dialog-content.tsx';
import { isComposing, KeyHint } from '../ui/keyboard.tsx';
import { Overlay } from '../ui/overlay.tsx';
import { NameOrPhone } from '../ui/phone.tsx';
import { type Entry, useCommandPaletteEntries } from './command-palette-entries.tsx';

/** Searches contacts, agents, pages and actions. A combobox: the focus stays in the field, the arrow keys select. */
const CommandPalette = ({
  onClose,
  onHelp,
}: {
  readonly onClose: () => void;
  readonly onHelp: () => void;
}) => {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const [isEntered, setEntered] = useState(false);
  const navigate = useNavigate();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const { groups, searching } = useCommandPaletteEntries(typed, {
    navigate: (to) => void navigate({ to }),
    onHelp,
  });
  const entries = groups.flatMap((group) => group.entries);
  const at = Math.min(chosen, entries.length - 1);

  const run = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  // Enter before the service has answered waits for the answer.
  const isReady = entries[at] ? !entries[at].isStale : !searching;
  const latest = useRef(() => {});
  latest.current = () => run(entries[at]);
  useEffect(() => {
    if (isEntered && isReady) latest.current();
  }, [isEntered, isReady]);
  const move = (to: number) => {
    const next = (to + entries.length) % entries.length;
    setChosen(next);
    list.current?.querySelectorAll('[role=option]')[next]?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const moves: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
    const to = moves[event.key];
    if (event.key === 'Enter') setEntered(true);
    else if (to !== undefined && entries.length > 0) move(to);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Overlay />
        <DialogContent
          aria-describedby={undefined}
          className="fixed top-[max(0.5rem,10vh)] left-1/2 z-50 flex max-h-[min(34rem,80dvh)] w-[calc(100%-1rem)] max-w-xl -translate-x-1/2 flex-col overflow-hidden rounded-2xl bg-surface shadow-float animate-appear"
        >
          <Dialog.Title className="sr-only">{t('Command palette')}</Dialog.Title>
          <div className="flex items-center gap-3 border-b border-line px-4">
            <Search className="size-4.5 shrink-0 text-muted" aria-hidden />
            <input
              role="combobox"
              aria-label={t('Search or run a command')}
              aria-expanded="true"
              aria-controls={id}
              aria-autocomplete="list"
              aria-activedescendant={entries[at] ? `${id}-${entries[at].key}` : undefined}
              placeholder={t('Search contacts, agents, pages and actions…')}
              autoComplete="off"
              dir="auto"
              spellCheck={false}
              className="h-13 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-muted"
              value={typed}
              onChange={({ target }) => {
                setTyped(target.value);
                setChosen(0);
                setEntered(false);
              }}
              onKeyDown={onKeyDown}
            />
            <KeyHint keys={t('Esc')} />
          </div>
          <div
            ref={list}
            id={id}
            role="listbox"
            aria-label={t('Results')}
            className="min-h-0 flex-1 overflow-y-auto p-2"
          >
            {groups.map((group, index) => (
              // biome-ignore lint/a11y/useSemanticElements: a group of options is not a fieldset
              <div key={group.title} role="group" aria-labelledby={`${id}-group-${index}`}>
                <div id={`${id}-group-${index}`} className="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">
                  {group.title}
                </div>
                {group.entries.map((entry) => (
                  // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
                  <div
                    key={entry.key}
                    id={`${id}-${entry.key}`}
                    role="option"
                    aria-selected={entry === entries[at]}
                    className="flex h-10 cursor-pointer items-center gap-3 rounded-lg px-2.5 text-sm aria-selected:bg-accent-soft aria-selected:text-accent-ink max-sm:h-11"
                    onPointerMove={() => setChosen(entries.indexOf(entry))}
                    onClick={() => run(entry)}
                  >
                    {entry.icon}
                    <span dir="auto" className="min-w-0 truncate">
                      <NameOrPhone text={entry.title} />
                    </span>
                    {entry.aside && <span className="figure ml-auto shrink-0 text-xs">{entry.aside}</span>}
                  </div>
                ))}
              </div>
            ))}
          </div>
          <p
            role="status"
            className={entries.length === 0 ? 'px-4 pb-6 text-center text-sm text-muted' : 'sr-only'}
          >
            {entries.length > 0
              ? plural(entries.length, '# result', '# results')
              : searching
                ? t('Searching…')
                : t('No results')}
          </p>
        </DialogContent>
      </Dialog.Portal>
    </Dialog.Root>
  );
};

export default CommandPalette;
