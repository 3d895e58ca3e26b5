import { fieldErrors } from '../../../api/api-error.ts';
import type { Problem } from './problems.ts';

/** What the service has refused in a member of a request, such as `config/model/name`. */
export const reportedProblems = (error: unknown, member: string): Problem[] =>
  Object.entries(fieldErrors(error))
    .filter(([field]) => field === member || field.startsWith(`${member}/`))
    .map(([field, message]) => ({ pointer: field.slice(member.length), message }));
