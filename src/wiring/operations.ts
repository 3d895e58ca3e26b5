/* Loads every module that defines operations, for the threads that look them up by name: those of the routes and jobs, and those
   that only the service or the command line runs. */
import '../db/sqlite/storage.ts';
import '../features/webhooks/delivery.claim.ts';
import '../features/webhooks/delivery.results.ts';
import '../features/workspaces/setup.service.ts';
import '../features/workspaces/workspace.service.ts';
import '../jobs/job.metrics.ts';
import '../records/expiry.ts';
import './handlers.ts';
import './routes.ts';
