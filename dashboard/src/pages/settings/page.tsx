import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { loadChunk } from '../../api/load-chunk.ts';
import { apiQuery, usePrefetch } from '../../api/query.ts';
import { useCurrentUser } from '../../app/current-user.ts';
import { t } from '../../lib/i18n.ts';
import { fieldsQuery } from '../../records/fields/query.ts';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Keys } from './keys/list.tsx';
import { tabs as names, type SettingsSearch } from './url-params.ts';

const loadTabs = () => loadChunk(() => import('./tabs.ts'));
const Members = lazy(async () => ({ default: (await loadTabs()).Members }));
const Fields = lazy(async () => ({ default: (await loadTabs()).Fields }));
const ChatModelSettings = lazy(async () => ({ default: (await loadTabs()).ChatModelSettings }));
const CallSettings = lazy(async () => ({ default: (await loadTabs()).CallSettings }));
const Workspace = lazy(async () => ({ default: (await loadTabs()).Workspace }));
const Account = lazy(async () => ({ default: (await loadTabs()).Account }));
const waiting = <Skeleton className="h-64 w-full rounded-xl" />;
const route = getRouteApi('/app/settings');
const labels = {
  keys: t('API keys'),
  members: t('Members'),
  fields: t('Fields'),
  calls: t('Calls'),
  workspace: t('Workspace'),
  account: t('Account'),
} as const;

export const SettingsPage = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { role } = useCurrentUser();
  const show = (next: SettingsSearch, replace: boolean) =>
    void navigate({ search: next, replace, ignoreBlocker: replace, resetScroll: false });
  const dialogState = (tab: 'keys' | 'members' | 'fields') => ({
    isAdding: search.add === true,
    onAdd: () => show({ tab, add: true }, false),
    onClose: () => show({ tab }, true),
  });
  const contents = {
    keys: <Keys {...dialogState('keys')} />,
    members: <Members {...dialogState('members')} />,
    fields: <Fields isOwner={role === 'owner'} {...dialogState('fields')} />,
    calls: <CallSettings isOwner={role === 'owner'} />,
    workspace: (
      <>
        <Workspace isOwner={role === 'owner'} />
        <ChatModelSettings isOwner={role === 'owner'} />
      </>
    ),
    account: <Account />,
  };
  const offered = names.filter((name) => role === 'owner' || !['keys', 'members'].includes(name));
  const fallback = role === 'owner' ? 'keys' : 'account';
  const value = search.tab && offered.includes(search.tab) ? search.tab : fallback;
  usePrefetch(...(value === 'members' ? [apiQuery('/users')] : value === 'fields' ? [fieldsQuery] : []));
  return (
    <Page title={t('Settings')}>
      <Tabs
        label={t('Settings')}
        tabs={offered.map((name) => ({
          value: name,
          label: labels[name],
          content: <Suspense fallback={waiting}>{contents[name]}</Suspense>,
        }))}
        value={value}
        onChange={(tab) => show({ tab }, false)}
      />
    </Page>
  );
};
