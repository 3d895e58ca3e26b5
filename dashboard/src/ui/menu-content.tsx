import { DropdownMenu } from 'radix-ui';
import { useEffect, useState } from 'react';
import { t } from '../lib/i18n.ts';
import { cx } from './cx.ts';
import type { MenuProps } from './menu-items.ts';
import { usePortalContainer } from './portal-container.ts';

/** A menu that opens when it is mounted. */
const MenuContent = ({ trigger, items, header, align = 'end', onCloseAutoFocus }: MenuProps) => {
  const portal = usePortalContainer<HTMLButtonElement>();
  const [isOpen, setOpen] = useState(false);
  const { locate } = portal;
  const change = (open: boolean) => {
    locate();
    setOpen(open);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => change(true), []);
  return (
    <DropdownMenu.Root modal={false} open={isOpen} onOpenChange={change}>
      <DropdownMenu.Trigger ref={portal.trigger} asChild>
        {trigger}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={portal.container}>
        <DropdownMenu.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          {...(onCloseAutoFocus && { onCloseAutoFocus })}
          className="z-60 max-h-(--radix-dropdown-menu-content-available-height) overflow-y-auto max-w-[calc(100vw-1rem)] min-w-52 rounded-xl border border-line bg-surface p-1.5 text-sm shadow-float animate-appear"
        >
          {header && <DropdownMenu.Label className="px-2.5 pt-1.5 pb-2">{header}</DropdownMenu.Label>}
          {items.map((item, index) =>
            item === null ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: a separator has no other identity
              <DropdownMenu.Separator key={index} className="-mx-1.5 my-1.5 h-px bg-line" />
            ) : (
              <DropdownMenu.Item
                // biome-ignore lint/suspicious/noArrayIndexKey: an item is identified by its position
                key={index}
                disabled={item.disabled}
                onSelect={item.onSelect}
                className={cx(
                  'flex cursor-pointer items-center gap-2.5 rounded-lg px-2.5 py-2 outline-none select-none [&_svg]:size-4',
                  'data-[disabled]:cursor-not-allowed data-[disabled]:opacity-55 data-[highlighted]:bg-sunken',
                  item.danger && 'text-danger-ink data-[highlighted]:bg-danger-soft',
                )}
              >
                {item.icon}
                <span className="min-w-0 flex-1">{item.label}</span>
                {item.chosen && (
                  <span className="text-accent-ink">
                    <span aria-hidden>✓</span>
                    <span className="sr-only">{t('selected')}</span>
                  </span>
                )}
              </DropdownMenu.Item>
            ),
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
};

export default MenuContent;
