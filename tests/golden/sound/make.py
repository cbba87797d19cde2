#!/usr/bin/python3
"""Writes the golden files of sounds. Needs NumPy and SciPy; the tests need only the files.

voice.wav    16,000 samples a second, 16 bits: a chirp with overtones that grow louder, and a click
voice.npy    its log-mel spectrogram with 64 bands, as orthant/sound/spectrogram.h defines it, before rounding
stereo.wav   44,100 samples a second, two channels: tones of 440 and 1,000 Hz
stereo.npy   their mean at 16,000 samples a second, by SciPy's polyphase resampler [1, N]
"""
import os

import numpy as np
import scipy.io.wavfile
import scipy.signal

here = os.path.dirname(os.path.abspath(__file__))


def path(name):
    return os.path.join(here, name)


rate = 16000
t = np.arange(int(0.35 * rate)) / rate
x = scipy.signal.chirp(t, 200, t[-1], 3000) + 0.3 * scipy.signal.chirp(t, 400, t[-1], 6000)
x *= 0.05 + t / t[-1]
x[2000] += 1.5
samples = np.round(20000 / np.abs(x).max() * x).astype(np.int16)
scipy.io.wavfile.write(path("voice.wav"), rate, samples)


def mel(hz):
    return 2595 * np.log10(1 + hz / 700)


def hertz(m):
    return 700 * (10 ** (m / 2595) - 1)


def spectrogram(x, bands=64, window=400, hop=160, low=60, high=7600, decibels=80):
    frames = -(-len(x) // hop)
    padded = np.concatenate([np.zeros(window), x, np.zeros(window + hop)])
    size = 1024
    hann = scipy.signal.get_window("hann", window)
    power = np.empty((size // 2 + 1, frames))
    for k in range(frames):
        begin = window + k * hop + hop // 2 - window // 2
        power[:, k] = np.abs(np.fft.rfft(hann * padded[begin : begin + window], size)) ** 2
    hz = np.fft.rfftfreq(size, 1 / rate)
    corners = hertz(np.linspace(mel(low), mel(high), bands + 2))
    triangles = np.stack([np.interp(hz, corners[b : b + 3], [0, 1, 0], left=0, right=0) for b in range(bands)])
    bands_power = triangles @ power
    levels = 255 * (1 + 10 * np.log10(np.maximum(bands_power, 1e-300) / bands_power.max()) / decibels)
    return np.clip(levels, 0, 255)[::-1]


np.save(path("voice.npy"), np.ascontiguousarray(spectrogram(samples / 32768.0), np.float32))

t = np.arange(int(0.2 * 44100)) / 44100
both = np.stack([0.5 * np.sin(2 * np.pi * 440 * t), 0.25 * np.sin(2 * np.pi * 1000 * t)], axis=1)
both = np.round(32767 * both).astype(np.int16)
scipy.io.wavfile.write(path("stereo.wav"), 44100, both)
resampled = scipy.signal.resample_poly(both.mean(axis=1) / 32768.0, 160, 441)
np.save(path("stereo.npy"), resampled.reshape(1, -1).astype(np.float32))
