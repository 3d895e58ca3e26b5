import { Link } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { lazy, Suspense, startTransition, useRef, useState } from 'react';
import { errorMessage, fieldErrors } from '../../../api/api-error.ts';
import { loadChunk } from '../../../api/load-chunk.ts';
import { useCommand } from '../../../app/commands.ts';
import { t } from '../../../lib/i18n.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import type { Draft } from './tags-form.tsx';

const TagsForm = lazy(() => loadChunk(() => import('./tags-form.tsx')));

interface TagsEditProps {
  readonly value: readonly string[];
  /** Shows the tags immediately, and rejects if they are not saved. */
  readonly onSave: (tags: string[], before: readonly string[]) => Promise<void>;
  readonly onDirty: (isDirty: boolean) => void;
}

/** The tags of a contact, each linked to the contacts that have it, with inline editing. */
export const TagsEdit = ({ value, onSave, onDirty }: TagsEditProps) => {
  const [draft, setDraft] = useState<Draft>();
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setDraft(undefined);
    setTimeout(() => button.current?.focus());
  };
  const save = async (tags: string[], before: readonly string[]) => {
    close();
    try {
      await onSave(tags, before);
    } catch (failure) {
      setDraft({ before, tags, error: fieldErrors(failure).tags ?? errorMessage(failure) });
    }
  };
  const label = value.length > 0 ? t('Edit tags') : t('Add tags');
  // The tags are shown until the form is loaded.
  const open = () => startTransition(() => setDraft({ before: value, tags: value }));
  useCommand(label, () => draft ?? open());
  const form = draft && <TagsForm draft={draft} onSave={save} onDirty={onDirty} onClose={close} />;
  return (
    <Suspense>
      {form ?? (
        <div>
          <div className="text-[0.8125rem] text-muted">{t('Tags')}</div>
          <div className="flex min-h-8 flex-wrap items-center gap-x-4">
            {value.length > 0 && (
              <div className="flex min-w-0 flex-wrap items-center gap-1.5">
                {value.map((tag) => (
                  <Link
                    key={tag}
                    to="/contacts"
                    search={{ tag }}
                    title={t('Show contacts tagged {tag}', { tag })}
                    className="max-w-full rounded-md hover:underline"
                  >
                    <Badge>{tag}</Badge>
                  </Link>
                ))}
              </div>
            )}
            <Button ref={button} size="small" variant="quiet" className="-ml-2.5" onClick={open}>
              <Pencil aria-hidden />
              {label}
            </Button>
          </div>
        </div>
      )}
    </Suspense>
  );
};
