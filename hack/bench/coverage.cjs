'use strict';
// Loaded into a server by calls.ts before its own code: counts every call of a function, and sends the counts since the last time
// whenever the parent asks. Counting keeps V8 from inlining, so each call in the source is one call here.
const { Session } = require('node:inspector');

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
process.on('message', () => {
  session.post('Profiler.takePreciseCoverage', (error, taken) => process.send(error ?? called(taken.result)));
});
// Only this listener waits for the parent; the server must end as it does without it.
process.channel.unref();

function called(scripts) {
  return scripts
    .filter(({ url }) => url.startsWith('file://') && !url.includes('/node_modules/'))
    .flatMap(({ url, functions }) =>
      functions.map(({ functionName: name, ranges: [range] }) => ({ url, name, ...range })),
    )
    .filter(({ count }) => count > 0)
    .map(({ url, name, startOffset: offset, count }) => ({ url, name, offset, count }));
}
