/** What crosses between the serving thread and those of the database. Both directions send lists, so that requests
 *  of one turn of the event loop cost one message. */
export type Question = readonly [id: number, operation: string, who: unknown, input: unknown];
export type Reply = readonly [id: number, failed: boolean, value: unknown];

export interface ThreadData {
  readonly path: string;
  readonly role: 'writer' | 'reader';
}
