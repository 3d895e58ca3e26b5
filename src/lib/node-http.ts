/** The functions of `node:http`. An import would evaluate every export of that module, among them a WebSocket client that takes
 *  17 MB and 40 ms in each thread. */
export const { Agent, createServer, request } = process.getBuiltinModule('node:http');
