import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { Menu as MenuIcon, Search, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useEffect, useRef, useState } from 'react';
import { loadChunk } from '../api/load-chunk.ts';
import { session } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { t } from '../lib/i18n.ts';
import { IconButton } from '../ui/button.tsx';
import { DialogContent } from '../ui/dialog-content.tsx';
import { lastRow } from '../ui/last-row.ts';
import { Overlay } from '../ui/overlay.tsx';
import { UNDO_KEYS, useUndo } from '../ui/toast.tsx';
import { BulkJobs, JobsIconButton } from './bulk-jobs/indicator.tsx';
import { ConnectionBar } from './connection-bar.tsx';
import { asksToSignOut, followSession, useCurrentUser } from './current-user.ts';
import { DisabledWebhooks } from './disabled-webhooks.tsx';
import { hasReturned } from './kept-state.ts';
import { LazyDialog } from './lazy-dialog.tsx';
import { Logo } from './logo.tsx';
import { isVisibleTo, type NavItem, navItems } from './navigation.ts';
import { NoticesButton } from './notices-button.tsx';
import { useShortcut } from './shortcuts.ts';
import { Sidebar } from './sidebar.tsx';

const loadPalette = () => import('./command-palette.tsx');
const loadShortcutHelp = () => import('./shortcut-help.tsx');
const loadNotices = () => import('./notices.tsx');
const loadSession = () => import('./session-dialog.tsx');
const loadSignOut = () => import('./sign-out-dialog.tsx');
const loadSwitched = () => import('./switched-dialog.tsx');
const stay = () => {};

/** Loads the dialogs that protect typed text, as soon as there is some. */
const preload = () => {
  for (const load of [loadSession, loadSwitched]) void loadChunk<unknown>(load).catch(() => undefined);
};
const preloadOnInput = () => {
  addEventListener('input', preload, { once: true });
  return () => removeEventListener('input', preload);
};

/** Moves the focus to the new page after navigation, unless the page or a dialog that it opened has the focus. A return
 *  to a list moves it to the row that was opened. */
const useFocusOnNavigation = () => {
  const main = useRef<HTMLElement>(null);
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const before = useRef(pathname);
  useEffect(() => {
    const active = document.activeElement;
    const isSetByPage = active !== main.current && main.current?.contains(active);
    if (
      before.current !== undefined &&
      before.current !== pathname &&
      !isSetByPage &&
      !document.querySelector('[role=dialog]')
    )
      ((hasReturned() && lastRow()) || main.current)?.focus({ preventScroll: true });
    before.current = pathname;
  }, [pathname]);
  return main;
};

const UndoShortcut = () => {
  const undo = useUndo();
  useShortcut(UNDO_KEYS, undo && t('Undo last change'), () => undo?.());
  return null;
};

const GoTo = ({ item }: { readonly item: NavItem }) => {
  const navigate = useNavigate();
  const { role } = useCurrentUser();
  const description = isVisibleTo(item, role) ? t('Go to {page}', { page: item.label }) : undefined;
  useShortcut(`g ${item.key}`, description, () => void navigate({ to: item.to }));
  return null;
};

/** The layout of all pages that require a session: sidebar or top bar, page, command palette and dialogs. */
export const Shell = () => {
  const [drawer, setDrawer] = useState(false);
  const [palette, setPalette] = useState(false);
  const [help, setHelp] = useState(false);
  const [notices, setNotices] = useState(false);
  const main = useFocusOnNavigation();
  const workspace = useCurrentUser().workspace.name;
  const hasEnded = useStore(session.hasEnded);
  const isAsked = useStore(asksToSignOut);
  const hasSwitched = useStore(session.hasSwitched);
  useEffect(followSession, []);
  useEffect(preloadOnInput, []);
  useShortcut('Ctrl K', t('Open command palette'), () => setPalette(true));
  useShortcut('?', t('Show keyboard shortcuts'), () => setHelp(true));
  const openPalette = () => {
    setDrawer(false);
    setPalette(true);
  };
  const sidebar = (
    <Sidebar
      onPalette={openPalette}
      onNotices={() => setNotices(true)}
      onHelp={() => setHelp(true)}
      onNavigate={() => setDrawer(false)}
    />
  );
  return (
    <div className="lg:pl-60">
      <a
        href="#main"
        className="sr-only z-80 rounded-lg bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        {t('Skip to main content')}
      </a>
      <aside className="fixed inset-y-0 left-0 z-30 w-60 border-r border-line bg-surface max-lg:hidden">
        {sidebar}
      </aside>
      <header className="sticky top-0 z-30 flex h-14 items-center gap-2 border-b border-line bg-surface px-2.5 lg:hidden">
        <Dialog.Root open={drawer} onOpenChange={setDrawer}>
          <Dialog.Trigger asChild>
            <IconButton label={t('Open menu')} icon={<MenuIcon aria-hidden />} />
          </Dialog.Trigger>
          <Dialog.Portal>
            <Overlay />
            <DialogContent
              aria-describedby={undefined}
              className="fixed inset-y-0 left-0 z-50 w-72 max-w-[85vw] bg-surface shadow-float animate-slide"
            >
              <Dialog.Title className="sr-only">{t('Menu')}</Dialog.Title>
              {sidebar}
              <Dialog.Close asChild>
                <IconButton
                  label={t('Close menu')}
                  icon={<X aria-hidden />}
                  className="absolute top-3 right-2"
                />
              </Dialog.Close>
            </DialogContent>
          </Dialog.Portal>
        </Dialog.Root>
        <Logo className="size-7" />
        <span dir="auto" title={workspace} className="min-w-0 flex-1 truncate font-semibold">
          {workspace}
        </span>
        <JobsIconButton />
        <NoticesButton onOpen={() => setNotices(true)} />
        <IconButton label={t('Search')} icon={<Search aria-hidden />} onClick={openPalette} />
      </header>
      <ConnectionBar />
      <DisabledWebhooks />
      <main id="main" ref={main} tabIndex={-1} className="outline-none">
        <Outlet />
      </main>
      {palette && (
        <LazyDialog
          title={t('Command palette')}
          load={loadPalette}
          props={{ onClose: () => setPalette(false), onHelp: () => setHelp(true) }}
        />
      )}
      {help && (
        <LazyDialog
          title={t('Keyboard shortcuts')}
          load={loadShortcutHelp}
          props={{ onClose: () => setHelp(false) }}
        />
      )}
      <BulkJobs />
      {notices && (
        <LazyDialog title={t('Notices')} load={loadNotices} props={{ onClose: () => setNotices(false) }} />
      )}
      <UndoShortcut />
      {navItems.map((item) => (
        <GoTo key={item.to} item={item} />
      ))}
      {isAsked && (
        <LazyDialog
          title={t('Sign out?')}
          load={loadSignOut}
          props={{ onClose: () => asksToSignOut.set(false) }}
        />
      )}
      {hasEnded && (
        <LazyDialog title={t('Your session has ended')} load={loadSession} props={{ onClose: stay }} />
      )}
      {hasSwitched && (
        <LazyDialog
          title={t('You switched to another workspace')}
          load={loadSwitched}
          props={{ onClose: stay }}
        />
      )}
    </div>
  );
};
