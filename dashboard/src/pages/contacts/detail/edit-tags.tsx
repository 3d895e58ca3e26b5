import { Link } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { errorMessage, fieldErrors } from '../../../api/api-error.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { DiscardDialog } from '../../../ui/confirm.tsx';
import { TagInput } from '../../../ui/tag-input.tsx';
import { useKnownTags } from '../known-tags.ts';

interface TagsEditProps {
  readonly value: readonly string[];
  readonly onSave: (tags: string[], before: readonly string[]) => Promise<void>;
  readonly onDirty: (isDirty: boolean) => void;
}

/** The tags of a contact, each linked to the contacts that have it, with inline editing. */
export const TagsEdit = (props: TagsEditProps) => {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    setTimeout(() => button.current?.focus());
  };
  if (isOpen) return <TagsForm {...props} onClose={close} />;
  return (
    <div>
      <div className="text-[0.8125rem] text-muted">Tags</div>
      <div className="flex min-h-8 flex-wrap items-center gap-x-4">
        {props.value.length > 0 && (
          <div className="flex min-w-0 flex-wrap items-center gap-1.5">
            {props.value.map((tag) => (
              <Link
                key={tag}
                to="/contacts"
                search={{ tag }}
                title={`Show contacts tagged ${tag}`}
                className="max-w-full rounded-md hover:underline"
              >
                <Badge tone="good">{tag}</Badge>
              </Link>
            ))}
          </div>
        )}
        <Button ref={button} size="small" variant="quiet" className="-ml-2.5" onClick={() => setOpen(true)}>
          <Pencil aria-hidden />
          {props.value.length > 0 ? 'Edit tags' : 'Add tags'}
        </Button>
      </div>
    </div>
  );
};

const TagsForm = ({ value, onSave, onDirty, onClose }: TagsEditProps & { readonly onClose: () => void }) => {
  const [before] = useState(value);
  const [tags, setTags] = useState([...value]);
  const [busy, setBusy] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const [error, setError] = useState<string>();
  const known = useKnownTags(tags);
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
  const save = async () => {
    if (!isDirty) return onClose();
    setBusy(true);
    try {
      await onSave(tags, before);
      onClose();
    } catch (failure) {
      setError(fieldErrors(failure).tags ?? errorMessage(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is a shortcut for the Cancel button
    <div
      ref={box}
      className="flex flex-col gap-2"
      // React also bubbles key events of the confirmation dialog, which is in a portal.
      onKeyDown={({ key, target, currentTarget }) =>
        key === 'Escape' && !busy && currentTarget.contains(target as Node) && cancel()
      }
    >
      <TagInput
        label="Tags"
        hint="Press Enter or comma to add a tag."
        value={tags}
        onChange={setTags}
        suggestions={known}
        error={error}
      />
      <div className="flex gap-2">
        <Button variant="primary" size="small" busy={busy} onClick={() => void save()}>
          Save
        </Button>
        <Button size="small" disabled={busy} onClick={cancel}>
          Cancel
        </Button>
      </div>
      <DiscardDialog open={isConfirming} onOpenChange={setConfirming} onConfirm={onClose}>
        Your changes to the tags haven't been saved and will be lost.
      </DiscardDialog>
    </div>
  );
};
