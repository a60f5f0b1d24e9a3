// Starts the thread from the sources, which Node cannot load by itself. In dist, the bundle of main.ts has this name.
import { register } from 'tsx/esm/api';

register();
await import('./main.ts');
