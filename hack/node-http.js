/**
 * What the build takes for node:http: all of it but what Node takes from undici. An import statement reads every export of a module, and those make Node 22 and later
 * load undici, which takes 30 ms of each start.
 */
const http = process.getBuiltinModule('node:http');

export const {
  Agent,
  ClientRequest,
  createServer,
  get,
  globalAgent,
  IncomingMessage,
  maxHeaderSize,
  METHODS,
  OutgoingMessage,
  request,
  Server,
  ServerResponse,
  setMaxIdleHTTPParsers,
  STATUS_CODES,
  validateHeaderName,
  validateHeaderValue,
} = http;
// biome-ignore lint/style/noDefaultExport: node:http has one, too.
export default http;
