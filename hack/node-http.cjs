// What the build takes for node:http. An import statement reads every export of the module, and one of them makes Node 22 and later load undici, which takes 30 ms of each start.
module.exports = process.getBuiltinModule('node:http');
