import { backendSuite } from '../testing/backend-suite.js';
import { openOnMemory } from '../testing/openers.js';

backendSuite('memory', () => openOnMemory(true));
