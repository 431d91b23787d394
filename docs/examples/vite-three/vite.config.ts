// The two headers that pages need for threads, for Vite's development server and its preview.
const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

// Modules may wait at their top level, as main.ts does for the engine.
export default { server: { headers }, preview: { headers }, build: { target: 'es2022' } };
