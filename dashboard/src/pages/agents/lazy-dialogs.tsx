import { LazyDialog, type PropsOf } from '../../app/lazy-dialog.tsx';
import { t } from '../../lib/i18n.ts';
import { deployLabel } from './labels.tsx';

/* Dialogs that are loaded when they open, because no page needs them to be shown. */

const loadDeploy = () => import('./detail/deploy.tsx');
const loadDelete = () => import('./detail/delete.tsx');
const loadConnect = () => import('./detail/connect-channel.tsx');
const loadVariables = () => import('./detail/agent-variables.tsx');
const loadConfigSchema = () => import('./config/schema-dialog.tsx');
const loadPlayground = () => import('./playground/dialog.tsx');

export const DeployDialog = (props: PropsOf<typeof loadDeploy>) => (
  <LazyDialog
    title={deployLabel(props.version, props.agent.deployed_version)}
    load={loadDeploy}
    props={props}
  />
);

export const DeleteAgent = (props: PropsOf<typeof loadDelete>) => (
  <LazyDialog title={t('Delete agent')} load={loadDelete} props={props} />
);

export const ConnectChannel = (props: PropsOf<typeof loadConnect>) => (
  <LazyDialog title={t('Connect channel')} load={loadConnect} props={props} />
);

export const AgentVariables = (props: PropsOf<typeof loadVariables>) => (
  <LazyDialog title={t('Variables of this agent')} load={loadVariables} props={props} />
);

export const Playground = (props: PropsOf<typeof loadPlayground>) => (
  <LazyDialog title={t('Try it')} load={loadPlayground} props={props} />
);

export const ConfigSchemaDialog = (props: PropsOf<typeof loadConfigSchema>) => (
  <LazyDialog title={t('Schema of the configuration')} load={loadConfigSchema} props={props} />
);
