"""From the microphone to a take file: ring, recorder, end-pointer, gaps."""
