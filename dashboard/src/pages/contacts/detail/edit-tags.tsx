import { Link } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { errorMessage, fieldErrors } from '../../../api/api-error.ts';
import { useCommand } from '../../../app/commands.ts';
import { TagInput } from '../../../app/tag-input.tsx';
import { t } from '../../../lib/i18n.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { DiscardDialog } from '../../../ui/confirm.tsx';
import { isComposing } from '../../../ui/keyboard.tsx';

interface TagsEditProps {
  readonly value: readonly string[];
  /** Shows the tags immediately, and rejects if they are not saved. */
  readonly onSave: (tags: string[], before: readonly string[]) => Promise<void>;
  readonly onDirty: (isDirty: boolean) => void;
}

/** What is edited. After a rejected save it has the tags that were not saved, and why. */
interface Draft {
  readonly before: readonly string[];
  readonly tags: readonly string[];
  readonly error?: string;
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
  const open = () => setDraft({ before: value, tags: value });
  useCommand(label, () => draft ?? open());
  if (draft) return <TagsForm draft={draft} onSave={save} onDirty={onDirty} onClose={close} />;
  return (
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
  );
};

const TagsForm = ({
  draft: { before, tags: initial, error },
  onSave,
  onDirty,
  onClose,
}: Pick<TagsEditProps, 'onDirty'> & {
  readonly draft: Draft;
  readonly onSave: (tags: string[], before: readonly string[]) => Promise<void>;
  readonly onClose: () => void;
}) => {
  const [tags, setTags] = useState([...initial]);
  const [isConfirming, setConfirming] = useState(false);
  const isDirty = JSON.stringify(tags) !== JSON.stringify(before);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector('input')?.focus(), []);
  const onDirtyRef = useRef(onDirty);
  onDirtyRef.current = onDirty;
  useEffect(() => {
    onDirtyRef.current(isDirty);
    return () => onDirtyRef.current(false);
  }, [isDirty]);
  const cancel = () => (isDirty ? setConfirming(true) : onClose());
  const save = () => (isDirty ? void onSave(tags, before) : onClose());
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is a shortcut for the Cancel button, Enter for Save
    <div
      ref={box}
      className="flex flex-col gap-2"
      // React also bubbles key events of the confirmation dialog, which is in a portal.
      onKeyDown={(event) => {
        const { key, target } = event;
        if (!event.currentTarget.contains(target as Node) || isComposing(event)) return;
        if (key === 'Escape') cancel();
        // Enter that adds a tag is already handled.
        if (key === 'Enter' && target instanceof HTMLInputElement && !event.defaultPrevented) save();
      }}
    >
      <TagInput
        label={t('Tags')}
        hint={t('Press Enter or comma to add a tag, and Enter again to save.')}
        value={tags}
        onChange={setTags}
        error={error}
      />
      <div className="flex gap-2">
        <Button variant="primary" size="small" onClick={save}>
          {t('Save')}
        </Button>
        <Button size="small" onClick={cancel}>
          {t('Cancel')}
        </Button>
      </div>
      <DiscardDialog open={isConfirming} onOpenChange={setConfirming} onConfirm={onClose}>
        {t("Your changes to the tags haven't been saved and will be lost.")}
      </DiscardDialog>
    </div>
  );
};
