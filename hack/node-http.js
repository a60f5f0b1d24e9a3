/**
 * The build replaces node:http by this module. It has all exports except WebSocket, CloseEvent and MessageEvent, which Node takes from undici. An
 * import statement reads every export of a module. So an import of node:http itself makes Node 22 and later load undici, which takes 30 ms of each
 * start.
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
