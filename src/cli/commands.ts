import { PROGRAM } from '../lib/executable.ts';
import { agentsCommand } from './agents.ts';
import { auditCommand } from './audit.ts';
import { backupCommand } from './backup.ts';
import { backupsCommand } from './backups.ts';
import type { Command } from './command.ts';
import { completionCommand } from './completion.ts';
import { demoCommand } from './demo.ts';
import { distributeCommand } from './distribute.ts';
import { doctorCommand } from './doctor/doctor.ts';
import { eventsCommand } from './events.ts';
import { exportCommand } from './export.ts';
import { healthCommand } from './health.ts';
import { importCommand } from './import.ts';
import { keyCommand } from './key.ts';
import { moveCommand } from './move.ts';
import { openapiCommand } from './openapi.ts';
import { resourceCommand } from './resources.ts';
import { restoreCommand } from './restore.ts';
import { secretCommand } from './secret.ts';
import { supportBundleCommand } from './support-bundle.ts';
import { userCommand } from './user.ts';
import { verifyCommand } from './verify.ts';
import { webhooksCommand } from './webhooks.ts';
import { workspaceCommand } from './workspace.ts';

const startCommand: Command = {
  forms: {
    'roster start': [
      `Starts the service. Configure it with environment variables; ${PROGRAM} --help lists them.`,
      async () => void (await import('../entry/main.ts')),
    ],
  },
};

/** Every command of the CLI, in the order of `--help`. */
export const commands: Readonly<Record<string, Command>> = {
  start: startCommand,
  workspace: workspaceCommand,
  key: keyCommand,
  user: userCommand,
  contacts: resourceCommand('contacts'),
  segments: resourceCommand('segments'),
  agents: agentsCommand,
  campaigns: resourceCommand('campaigns'),
  calls: resourceCommand('calls'),
  import: importCommand,
  export: exportCommand,
  audit: auditCommand,
  events: eventsCommand,
  webhooks: webhooksCommand,
  backup: backupCommand,
  backups: backupsCommand,
  restore: restoreCommand,
  move: moveCommand,
  verify: verifyCommand,
  doctor: doctorCommand,
  health: healthCommand,
  'support-bundle': supportBundleCommand,
  secret: secretCommand,
  distribute: distributeCommand,
  demo: demoCommand,
  openapi: openapiCommand,
  completion: completionCommand(() => commands),
};
