'use strict';
// calls.ts loads this into a server before the server's own code. It counts every call of a function, and sends the counts since the last
// time when the parent asks. Counting prevents V8 from inlining, so each call in the source is one call here.
const { Session } = require('node:inspector');

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
process.on('message', () => {
  session.post('Profiler.takePreciseCoverage', (error, taken) => process.send(error ?? called(taken.result)));
});
// The listener must not keep the server alive.
process.channel.unref();

function called(scripts) {
  return scripts
    .filter(({ url }) => url.startsWith('file://') && url.includes('/dist/') && !url.includes('/node_modules/'))
    .flatMap(({ url, functions }) =>
      functions.map(({ functionName: name, ranges: [range] }) => ({ url, name, ...range })),
    )
    .filter(({ count }) => count > 0)
    .map(({ url, name, startOffset: offset, count }) => ({ url, name, offset, count }));
}
