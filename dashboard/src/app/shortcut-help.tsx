import { useStore } from '../api/store.ts';
import { t } from '../lib/i18n.ts';
import { Dialog } from '../ui/dialog.tsx';
import { KeyHint } from '../ui/keyboard.tsx';
import { shortcuts } from './shortcuts.ts';

const everywhere = [
  { keys: t('Tab'), description: t('Go to next control') },
  { keys: 'Ctrl Enter', description: t('Submit dialog or form') },
  { keys: t('Esc'), description: t('Close dialog or menu') },
];

const ShortcutHelp = ({ onClose }: { readonly onClose: () => void }) => {
  const known = useStore(shortcuts);
  const isNavigation = ({ keys }: { readonly keys: string }) => keys.startsWith('g ');
  const shown = [
    ...known.filter((each) => !isNavigation(each)),
    ...everywhere,
    ...known.filter(isNavigation),
  ];
  return (
    <Dialog open onOpenChange={onClose} title={t('Keyboard shortcuts')} width="small">
      {/* The list scrolls, and has no control that could have the focus. */}
      <dl tabIndex={0} className="flex flex-col divide-y divide-line text-sm">
        {shown.map(({ keys, description }) => (
          <div key={keys} className="flex items-center justify-between gap-4 py-2">
            <dt>{description}</dt>
            <dd>
              <KeyHint keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
};

export default ShortcutHelp;
