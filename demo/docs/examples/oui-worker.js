import 'http://127.0.0.1:7410/oui.worker.js';
