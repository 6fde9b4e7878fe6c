import { load } from './load.mjs';
import { serve } from './serve.mjs';

serve(globalThis, { load });
